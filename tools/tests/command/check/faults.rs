//! Descriptions with one fault each, made from `good.xml`, and what the finding says of it.

/// A piece of the good description, what stands in its place, and words of the finding.
pub struct Fault {
    pub good: &'static str,
    pub bad: &'static str,
    pub says: &'static str,
}

const fn fault(good: &'static str, bad: &'static str, says: &'static str) -> Fault {
    Fault { good, bad, says }
}

pub const FAULTS: &[Fault] = &[
    fault(
        "<anything>goes <here/></anything>",
        "<anything/><more/>",
        "<Tool> `hand` contains 2 elements",
    ),
    // XML
    fault("</TypeDefinitions>", "</TypeDefinition>", "not well-formed XML"),
    fault(
        "</ModelStructure>\n</fmiModelDescription>",
        "</ModelStructure>",
        "<fmiModelDescription> is never closed",
    ),
    fault("author=\"A. Author\"", "author=\"A. Author\" author=\"B\"", "not well-formed XML"),
    fault("author=\"A. Author\"", "author=\"A & Author\"", "not well-formed XML"),
    fault("<Integer min=\"0\"/>", "<Integer min=\"0\"/>7", "contains text"),
    // Elements and attributes
    fault(
        "fmiVersion=\"2.0\"",
        "fmiVersion=\"4.0\"",
        "fmiVersion=\"4.0\"; this command knows FMI 2.0 and 3.0 only",
    ),
    fault(" guid=\"{8c4e810f-3df3-4a00-8276-176fa3c9f9e0}\"", "", "lacks the attribute `guid`"),
    fault("{8c4e810f-3df3-4a00-8276-176fa3c9f9e0}", "", "guid is empty"),
    fault("modelName=\"Tank\"", "modelname=\"Tank\"", "did you mean `modelName`"),
    fault("2024-02-29T12:00:00Z", "29.2.2024", "generationDateAndTime"),
    fault("2024-02-29T12:00:00Z", "2024-02-29T12:00:00", "warning: generationDateAndTime"),
    fault(
        "2024-02-29T12:00:00Z",
        "2024-02-29T12:00:00.123+01:00",
        "warning: generationDateAndTime",
    ),
    fault(
        "<File name=\"tank.c\"/>",
        "<File name=\"tank.c\"/><File name=\"tank.c\"/>",
        "a second <File> with name `tank.c`",
    ),
    fault(
        "max=\"100\" nominal=\"2.5\"",
        "max=\"100\" nominal=\"0\"",
        "<SimpleType> `Height`: nominal=0; allowed: above 0",
    ),
    fault(
        "valueReference=\"8\" causality=\"output\" variability=\"discrete\"",
        "valueReference=\"8\" causality=\"output\"",
        "variable `full`: a Boolean without variability, which is continuous then; allowed: constant, discrete",
    ),
    fault(
        "valueReference=\"9\" causality=\"output\" variability=\"discrete\"",
        "valueReference=\"9\" causality=\"output\"",
        "variable `count`: an Integer without variability",
    ),
    fault(
        "causality=\"parameter\" variability=\"tunable\"",
        "causality=\"parameter\"",
        "variable `text`: a String without variability, which is continuous then; allowed: fixed, tunable",
    ),
    fault(
        "causality=\"input\" variability=\"discrete\"",
        "causality=\"input\"",
        "variable `valve`: an Enumeration without variability, which is continuous then; allowed: discrete",
    ),
    fault("\"structured\"", "\"structure\"", "did you mean `structured`"),
    fault(
        "completedIntegratorStepNotNeeded=\"true\"",
        "completedIntegratorStepNotNeeded=\"yes\"",
        "allowed: true, false, 1, 0",
    ),
    fault(
        "maxOutputDerivativeOrder=\"1\"",
        "maxoutputDerivativeOrder=\"1\"",
        "did you mean `maxOutputDerivativeOrder`",
    ),
    fault(
        "canGetAndSetFMUstate=\"true\"",
        "canGetAndSetFMUstate=\"false\"",
        "canSerializeFMUstate without",
    ),
    fault(
        "<ModelExchange modelIdentifier=\"tank\"",
        "<ModelExchange modelIdentifier=\"my tank\"",
        "a letter or _",
    ),
    fault(
        "maxOutputDerivativeOrder=\"1\"",
        "maxOutputDerivativeOrder=\"-1\"",
        "a whole number from 0 to",
    ),
    fault(
        "<DefaultExperiment startTime",
        "<DefaultExperiments startTime",
        "did you mean `DefaultExperiment`",
    ),
    fault(
        "  <LogCategories>\n    <Category name=\"logEvents\"/>\n    <Category name=\"logStatusError\" description=\"What went wrong\"/>\n  </LogCategories>\n  <DefaultExperiment startTime=\"0\" stopTime=\"10\" tolerance=\"1e-6\" stepSize=\"0.01\"/>",
        "  <DefaultExperiment startTime=\"0\" stopTime=\"10\" tolerance=\"1e-6\" stepSize=\"0.01\"/>\n  <LogCategories>\n    <Category name=\"logEvents\"/>\n  </LogCategories>",
        "comes after <DefaultExperiment>",
    ),
    // Units, types, log
    fault("<Unit name=\"degC\">", "<Unit name=\"m\">", "a second <Unit> with name `m`"),
    fault(
        "<DisplayUnit name=\"cm\" factor=\"100\"/>",
        "<DisplayUnit name=\"cm\" factor=\"100\"/><DisplayUnit name=\"mm\" factor=\"9\"/>",
        "a second <DisplayUnit>",
    ),
    fault("factor=\"1000\"", "factor=\"0\"", "factor=0"),
    fault("offset=\"273.15\"", "offset=\"273,15\"", "a finite number with a decimal point"),
    fault("<BaseUnit K=\"1\" ", "<BaseUnit C=\"1\" ", "has no attribute `C`"),
    fault(
        "unit=\"m\" displayUnit=\"mm\"",
        "unit=\"m\" displayUnit=\"km\"",
        "displayUnit `km` is not one of unit `m`; allowed: mm, cm",
    ),
    fault(
        "<SimpleType name=\"Valve\">",
        "<SimpleType name=\"Height\"><Boolean/></SimpleType><SimpleType name=\"Valve\">",
        "a second <SimpleType>",
    ),
    fault(
        "<SimpleType name=\"Valve\">",
        "<SimpleType name=\"count\"><Boolean/></SimpleType><SimpleType name=\"Valve\">",
        "has the name of a variable",
    ),
    fault("min=\"0\" max=\"100\"", "min=\"200\" max=\"100\"", "min=200 is above max=100"),
    fault(
        "name=\"closed\" value=\"2\"",
        "name=\"open\" value=\"2\"",
        "a second <Item> with name `open`",
    ),
    fault("value=\"4\"", "value=\"1\"", "a second <Item> with value `1`"),
    fault("value=\"4\"", "value=\"four\"", "a whole number"),
    fault(
        "<Category name=\"logEvents\"/>",
        "<Category name=\"logStatusError\"/>",
        "a second <Category>",
    ),
    fault(
        "<Category name=\"logEvents\"/>",
        "<Category name=\"LogEvents\"/>",
        "did you mean `logEvents`",
    ),
    fault(
        "<Tool name=\"hand\">\n",
        "<Tool name=\"hand\"/><Tool name=\"hand\">\n",
        "a second <Tool>",
    ),
    // Default experiment
    fault("stopTime=\"10\"", "stopTime=\"0\"", "stopTime=0; allowed: after startTime=0"),
    fault("tolerance=\"1e-6\"", "tolerance=\"0\"", "tolerance=0; allowed: above 0"),
    fault("stepSize=\"0.01\"", "stepSize=\"-0.01\"", "stepSize=-0.01; allowed: above 0"),
    fault("stepSize=\"0.01\"", "stepSize=\"NaN\"", "a finite number"),
    fault("tolerance=\"1e-6\"", "tolerance=\"INF\"", "a finite number"),
    // Variables
    fault(
        "name=\"count\" valueReference=\"9\"",
        "name=\"full\" valueReference=\"9\"",
        "a second one of this name",
    ),
    fault("name=\"inflow\"", "name=\"in flow\"", "no structured name"),
    fault("name=\"pipe[1].area\"", "name=\"pipe[one].area\"", "no structured name"),
    fault("valueReference=\"8\"", "valueReference=\"-8\"", "a whole number from 0 to"),
    fault(" valueReference=\"8\"", "", "lacks the attribute `valueReference`"),
    fault(
        "valueReference=\"9\" causality=\"output\"",
        "valueReference=\"9\" causality=\"result\"",
        "<ScalarVariable> `count`: causality=\"result\"",
    ),
    fault(
        "causality=\"input\" variability=\"discrete\"",
        "causality=\"input\" variability=\"fixed\"",
        "causality input with variability fixed",
    ),
    fault(
        "causality=\"parameter\" variability=\"tunable\"",
        "causality=\"parameter\" variability=\"discrete\"",
        "causality parameter with variability discrete",
    ),
    fault(
        "valueReference=\"9\" causality=\"output\" variability=\"discrete\"",
        "valueReference=\"9\" causality=\"output\" variability=\"continuous\"",
        "only Real variables are continuous",
    ),
    fault(
        "causality=\"independent\" variability=\"continuous\"",
        "causality=\"independent\" variability=\"continuous\" initial=\"exact\"",
        "initial=exact for continuous independent; allowed: none",
    ),
    fault(
        "causality=\"calculatedParameter\" variability=\"fixed\"",
        "causality=\"calculatedParameter\" variability=\"fixed\" initial=\"exact\"",
        "allowed: calculated, approx",
    ),
    fault(
        "valueReference=\"9\" causality=\"output\" variability=\"discrete\"",
        "valueReference=\"9\" causality=\"output\" variability=\"discrete\" canHandleMultipleSetPerTimeInstant=\"true\"",
        "for inputs only",
    ),
    fault("<Boolean start=\"false\"/>", "<Boolean/>", "no start value; initial=exact needs one"),
    fault(
        "<Real unit=\"m/s\" start=\"0.0\"/>",
        "<Real unit=\"m/s\"/>",
        "no start value; causality=input needs one",
    ),
    fault(
        "<Integer min=\"0\"/>",
        "<Integer min=\"0\" start=\"0\"/>",
        "a start value; initial=calculated forbids it",
    ),
    fault(
        "<Real/>\n    </ScalarVariable>\n    <ScalarVariable name=\"level\"",
        "<Real start=\"0\"/>\n    </ScalarVariable>\n    <ScalarVariable name=\"level\"",
        "a start value; causality=independent forbids it",
    ),
    fault("start=\"0.1\"", "start=\"1.5\"", "start=1.5 is outside of min=0, max=1"),
    fault("start=\"0.1\"", "start=\"-1e50\"", "start=-1e50 is outside of min=0, max=1"),
    fault(
        "<Real declaredType=\"Height\" start=\"2.5\"/>",
        "<Real declaredType=\"Height\" start=\"-2.5\"/>",
        "start=-2.5 is outside of min=0, max=100",
    ),
    fault("min=\"0\" max=\"1\" start", "min=\"2\" max=\"1\" start", "min=2 is above max=1"),
    fault("start=\"0.1\"", "start=\"0.1 m\"", "a finite number"),
    fault(
        "<Real unit=\"m/s\" derivative=\"2\"/>",
        "<Real unit=\"m/s\" nominal=\"0\" derivative=\"2\"/>",
        "nominal=0",
    ),
    fault("<Boolean start=\"false\"/>", "<Boolean start=\"no\"/>", "allowed: true, false, 1, 0"),
    fault("<String start=\"\"/>", "<Text start=\"\"/>", "contains <Text>, which it cannot"),
    fault(
        "<Enumeration declaredType=\"Valve\" start=\"2\"/>",
        "<Enumeration declaredType=\"Valve\" start=\"3\"/>",
        "no item of its type; allowed: 1, 2, 4",
    ),
    fault(
        "<Real declaredType=\"Height\" start=\"2.5\"/>",
        "<Real declaredType=\"Hight\" start=\"2.5\"/>",
        "did you mean `Height`",
    ),
    fault(
        "<Real declaredType=\"Height\" start=\"2.5\"/>",
        "<Real declaredType=\"Valve\" start=\"2.5\"/>",
        "of type Enumeration, the variable of type Real",
    ),
    fault(
        "<Real unit=\"m/s\" start=\"0.0\"/>",
        "<Real unit=\"m/min\" start=\"0.0\"/>",
        "unit `m/min` is not in UnitDefinitions",
    ),
    fault(
        "<Real unit=\"m\" displayUnit=\"cm\"",
        "<Real displayUnit=\"cm\"",
        "displayUnit `cm` without a unit",
    ),
    fault("derivative=\"2\"", "derivative=\"99\"", "allowed: the number of a variable, 1 to 11"),
    fault(
        "<Real unit=\"m/s\" derivative=\"2\"/>",
        "<Real unit=\"degC\" derivative=\"2\"/>",
        "in degC, the derivative of `level` in m",
    ),
    fault("derivative=\"2\"", "derivative=\"9\"", "derivative of `full`"),
    fault(
        "name=\"inflow\" valueReference=\"5\"",
        "name=\"inflow\" valueReference=\"3\"",
        "also that of `pipe[1].'inner diameter'`",
    ),
    fault(
        "<Real declaredType=\"Height\" unit=\"m\"/>",
        "<Real unit=\"degC\"/>",
        "with different units",
    ),
    // Structure
    fault("      <Unknown index=\"9\" dependencies=\"\"/>\n", "", "Outputs lacks `full` (index 9)"),
    fault(
        "<Unknown index=\"9\" dependencies=\"\"/>",
        "<Unknown index=\"9\" dependencies=\"\"/>\n<Unknown index=\"9\"/>",
        "`full` (index 9) is listed twice",
    ),
    fault(
        "<Unknown index=\"9\" dependencies=\"\"/>",
        "<Unknown index=\"4\"/>\n<Unknown index=\"9\"/>",
        "does not belong here",
    ),
    fault(
        "<Unknown index=\"9\" dependencies=\"\"/>\n      <Unknown index=\"10\" dependencies=\"1 2 6\"/>",
        "<Unknown index=\"10\"/>\n      <Unknown index=\"9\"/>",
        "index=9 behind 10",
    ),
    fault(
        "<Unknown index=\"9\" dependencies=\"\"/>",
        "<Unknown index=\"9\" dependencies=\"\"/>\n<Unknown index=\"12\"/>",
        "allowed: 1 to 11",
    ),
    fault("dependencies=\"1 2 6\"", "dependencies=\"2 1 6\"", "dependency 1 behind 2"),
    fault("dependencies=\"1 2 6\"", "dependencies=\"2 2\"", "dependency 2 behind 2"),
    fault(
        "dependencies=\"1 2 6\"",
        "dependencies=\"2 4\"",
        "dependency 4 is `pipe[1].'inner diameter'`; allowed: inputs, continuous states",
    ),
    fault("dependencies=\"1 2 6\"", "dependencies=\"2 77\"", "dependency 77 is no variable"),
    fault("dependencies=\"1 2 6\"", "dependencies=\"2,6\"", "separated by spaces"),
    fault(
        "dependenciesKind=\"dependent constant dependent\"",
        "dependenciesKind=\"dependent constant\"",
        "3 dependencies and 2 entries",
    ),
    fault(
        "dependenciesKind=\"dependent constant dependent\"",
        "dependenciesKind=\"dependent constant linear\"",
        "words of dependent",
    ),
    fault(
        "<Unknown index=\"5\" dependencies=\"4\" dependenciesKind=\"dependent\"/>",
        "<Unknown index=\"5\" dependencies=\"4\" dependenciesKind=\"fixed\"/>",
        "words of dependent, constant",
    ),
    fault(
        "<Unknown index=\"10\"/>",
        "<Unknown index=\"10\" dependenciesKind=\"dependent\"/>",
        "dependenciesKind without dependencies",
    ),
    fault(
        "      <Unknown index=\"5\" dependencies=\"4\" dependenciesKind=\"dependent\"/>\n",
        "",
        "InitialUnknowns lacks `pipe[1].area` (index 5)",
    ),
    fault(
        "<Unknown index=\"10\"/>",
        "<Unknown index=\"9\"/>\n<Unknown index=\"10\"/>",
        "`full` (index 9) does not belong here",
    ),
    fault(
        "<Unknown index=\"3\" dependencies=\"2 6 7\"",
        "<Unknown index=\"0\" dependencies=\"2 6 7\"",
        "index=0",
    ),
];
