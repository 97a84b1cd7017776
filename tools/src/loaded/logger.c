/* The logger that the host hands to an FMU: printf with the arguments of the FMU, then on to Rust (c.rs). */

#include <stdarg.h>
#include <stdio.h>

void coulisse_host_message(void *environment, int status, const char *text);

void coulisse_host_logger(void *environment, const char *instance, int status, const char *category,
                          const char *format, ...)
{
    /* Longer messages are cut. */
    char text[8192];
    va_list arguments;

    (void)instance;
    (void)category;
    if (format == NULL)
        return;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    va_end(arguments);
    coulisse_host_message(environment, status, text);
}
