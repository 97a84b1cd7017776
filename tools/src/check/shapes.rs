//! Elements and attributes of a model description, as the schema of FMI 2.0.5 has them.

use super::grammar::{INTEGER, Inside, Occurs, Shape, Text, UNSIGNED, shape};

use Occurs::{Any, AtLeastOne, Choice, Maybe, Once, Some as Several};
use Text::{Boolean, List, Real, Whole, Word};

const TEXT: Text = Text::Any;
/// Numbers of variables.
const INDICES: Text = List(&Whole(1, u32::MAX as i128));

static FILE: Shape = shape("File", &[("name*", TEXT)], &[]);
static SOURCES: Shape = shape("SourceFiles", &[], &[(Several, &FILE)]);
static MODEL_EXCHANGE: Shape = shape(
    "ModelExchange",
    &[
        ("modelIdentifier*", TEXT),
        ("needsExecutionTool", Boolean),
        ("completedIntegratorStepNotNeeded", Boolean),
        ("canBeInstantiatedOnlyOncePerProcess", Boolean),
        ("canNotUseMemoryManagementFunctions", Boolean),
        ("canGetAndSetFMUstate", Boolean),
        ("canSerializeFMUstate", Boolean),
        ("providesDirectionalDerivative", Boolean),
    ],
    &[(Maybe, &SOURCES)],
);
static CO_SIMULATION: Shape = shape(
    "CoSimulation",
    &[
        ("modelIdentifier*", TEXT),
        ("needsExecutionTool", Boolean),
        ("canHandleVariableCommunicationStepSize", Boolean),
        ("canInterpolateInputs", Boolean),
        ("maxOutputDerivativeOrder", UNSIGNED),
        ("canRunAsynchronuously", Boolean),
        ("canBeInstantiatedOnlyOncePerProcess", Boolean),
        ("canNotUseMemoryManagementFunctions", Boolean),
        ("canGetAndSetFMUstate", Boolean),
        ("canSerializeFMUstate", Boolean),
        ("providesDirectionalDerivative", Boolean),
    ],
    &[(Maybe, &SOURCES)],
);
static BASE_UNIT: Shape = shape(
    "BaseUnit",
    &[
        ("kg", INTEGER),
        ("m", INTEGER),
        ("s", INTEGER),
        ("A", INTEGER),
        ("K", INTEGER),
        ("mol", INTEGER),
        ("cd", INTEGER),
        ("rad", INTEGER),
        ("factor", Real),
        ("offset", Real),
    ],
    &[],
);
static DISPLAY_UNIT: Shape =
    shape("DisplayUnit", &[("name*", TEXT), ("factor", Real), ("offset", Real)], &[]);
static UNIT: Shape =
    shape("Unit", &[("name*", TEXT)], &[(Maybe, &BASE_UNIT), (Any, &DISPLAY_UNIT)]);
static UNITS: Shape = shape("UnitDefinitions", &[], &[(Several, &UNIT)]);
static ITEM: Shape =
    shape("Item", &[("name*", TEXT), ("value*", INTEGER), ("description", TEXT)], &[]);
static TYPE: Shape = shape(
    "SimpleType",
    &[("name*", TEXT), ("description", TEXT)],
    &[
        (Choice, &TYPE_REAL),
        (Choice, &TYPE_INTEGER),
        (Choice, &TYPE_BOOLEAN),
        (Choice, &TYPE_STRING),
        (Choice, &TYPE_ENUMERATION),
    ],
);
static TYPE_REAL: Shape = shape(
    "Real",
    &[
        ("quantity", TEXT),
        ("unit", TEXT),
        ("displayUnit", TEXT),
        ("relativeQuantity", Boolean),
        ("min", Real),
        ("max", Real),
        ("nominal", Real),
        ("unbounded", Boolean),
    ],
    &[],
);
static TYPE_INTEGER: Shape =
    shape("Integer", &[("quantity", TEXT), ("min", INTEGER), ("max", INTEGER)], &[]);
static TYPE_BOOLEAN: Shape = shape("Boolean", &[], &[]);
static TYPE_STRING: Shape = shape("String", &[], &[]);
static TYPE_ENUMERATION: Shape = shape("Enumeration", &[("quantity", TEXT)], &[(Several, &ITEM)]);
static TYPES: Shape = shape("TypeDefinitions", &[], &[(Several, &TYPE)]);
static CATEGORY: Shape = shape("Category", &[("name*", TEXT), ("description", TEXT)], &[]);
static CATEGORIES: Shape = shape("LogCategories", &[], &[(Any, &CATEGORY)]);
static EXPERIMENT: Shape = shape(
    "DefaultExperiment",
    &[("startTime", Real), ("stopTime", Real), ("tolerance", Real), ("stepSize", Real)],
    &[],
);
/// What is inside is the tool's own business.
static TOOL: Shape =
    Shape { name: "Tool", attributes: &[("name*", TEXT)], inside: Inside::Foreign(1) };
static VENDOR: Shape = shape("VendorAnnotations", &[], &[(Any, &TOOL)]);
static ANNOTATIONS: Shape = shape("Annotations", &[], &[(Any, &TOOL)]);
static REAL: Shape = shape(
    "Real",
    &[
        ("declaredType", TEXT),
        ("quantity", TEXT),
        ("unit", TEXT),
        ("displayUnit", TEXT),
        ("relativeQuantity", Boolean),
        ("min", Real),
        ("max", Real),
        ("nominal", Real),
        ("unbounded", Boolean),
        ("start", Real),
        ("derivative", UNSIGNED),
        ("reinit", Boolean),
    ],
    &[],
);
static WHOLE: Shape = shape(
    "Integer",
    &[
        ("declaredType", TEXT),
        ("quantity", TEXT),
        ("min", INTEGER),
        ("max", INTEGER),
        ("start", INTEGER),
    ],
    &[],
);
static BOOLEAN: Shape = shape("Boolean", &[("declaredType", TEXT), ("start", Boolean)], &[]);
static STRING: Shape = shape("String", &[("declaredType", TEXT), ("start", TEXT)], &[]);
static ENUMERATION: Shape = shape(
    "Enumeration",
    &[
        ("declaredType*", TEXT),
        ("quantity", TEXT),
        ("min", INTEGER),
        ("max", INTEGER),
        ("start", INTEGER),
    ],
    &[],
);
const CAUSALITIES: &[&str] =
    &["parameter", "calculatedParameter", "input", "output", "local", "independent"];
const VARIABILITIES: &[&str] = &["constant", "fixed", "tunable", "discrete", "continuous"];
static VARIABLE: Shape = shape(
    "ScalarVariable",
    &[
        ("name*", TEXT),
        ("valueReference*", UNSIGNED),
        ("description", TEXT),
        ("causality", Word(CAUSALITIES)),
        ("variability", Word(VARIABILITIES)),
        ("initial", Word(&["exact", "approx", "calculated"])),
        ("canHandleMultipleSetPerTimeInstant", Boolean),
    ],
    &[
        (Choice, &REAL),
        (Choice, &WHOLE),
        (Choice, &BOOLEAN),
        (Choice, &STRING),
        (Choice, &ENUMERATION),
        (Maybe, &ANNOTATIONS),
    ],
);
static VARIABLES: Shape = shape("ModelVariables", &[], &[(Several, &VARIABLE)]);
const KINDS: &[&str] = &["dependent", "constant", "fixed", "tunable", "discrete"];
static UNKNOWN: Shape = shape(
    "Unknown",
    &[("index*", UNSIGNED), ("dependencies", INDICES), ("dependenciesKind", List(&Word(KINDS)))],
    &[],
);
static INITIAL_UNKNOWN: Shape = shape(
    "Unknown",
    &[
        ("index*", UNSIGNED),
        ("dependencies", INDICES),
        ("dependenciesKind", List(&Word(&["dependent", "constant"]))),
    ],
    &[],
);
static OUTPUTS: Shape = shape("Outputs", &[], &[(Several, &UNKNOWN)]);
static DERIVATIVES: Shape = shape("Derivatives", &[], &[(Several, &UNKNOWN)]);
static INITIAL: Shape = shape("InitialUnknowns", &[], &[(Several, &INITIAL_UNKNOWN)]);
static STRUCTURE: Shape =
    shape("ModelStructure", &[], &[(Maybe, &OUTPUTS), (Maybe, &DERIVATIVES), (Maybe, &INITIAL)]);
/// The root.
pub static DESCRIPTION: Shape = shape(
    "fmiModelDescription",
    &[
        ("fmiVersion*", Word(&["2.0"])),
        ("modelName*", TEXT),
        ("guid*", TEXT),
        ("description", TEXT),
        ("author", TEXT),
        ("version", TEXT),
        ("copyright", TEXT),
        ("license", TEXT),
        ("generationTool", TEXT),
        ("generationDateAndTime", TEXT),
        ("variableNamingConvention", Word(&["flat", "structured"])),
        ("numberOfEventIndicators", UNSIGNED),
    ],
    &[
        (AtLeastOne, &MODEL_EXCHANGE),
        (AtLeastOne, &CO_SIMULATION),
        (Maybe, &UNITS),
        (Maybe, &TYPES),
        (Maybe, &CATEGORIES),
        (Maybe, &EXPERIMENT),
        (Maybe, &VENDOR),
        (Once, &VARIABLES),
        (Once, &STRUCTURE),
    ],
);
