//! Files of FMI 3.0 with one fault each, made from the sound ones of this folder, and what the finding says of it.

use super::super::faults::Fault;

const fn fault(good: &'static str, bad: &'static str, says: &'static str) -> Fault {
    Fault { good, bad, says }
}

pub const FAULTS: &[Fault] = &[
    // XML, elements and attributes
    fault("</ModelVariables>", "</ModelVariable>", "not well-formed XML"),
    fault("<ModelStructure>", "<ModelStructure>text", "contains text"),
    fault(
        " instantiationToken=\"{8c4e810f-3df3-4a00-8276-176fa3c9f9e0}\"",
        "",
        "lacks the attribute `instantiationToken`",
    ),
    fault("{8c4e810f-3df3-4a00-8276-176fa3c9f9e0}", " ", "instantiationToken is empty"),
    fault("modelName=\"Tank\"", "modelname=\"Tank\"", "did you mean `modelName`"),
    fault("author=\"A. Author\"", "author=\"A. Author\" guid=\"1\"", "has no attribute `guid`"),
    fault("2024-02-29T12:00:00Z", "29.2.2024", "generationDateAndTime"),
    fault("\"structured\"", "\"structure\"", "did you mean `structured`"),
    fault(
        "needsCompletedIntegratorStep=\"true\"",
        "needsCompletedIntegratorStep=\"yes\"",
        "allowed: true, false, 1, 0",
    ),
    fault(
        "needsCompletedIntegratorStep",
        "completedIntegratorStepNotNeeded",
        "has no attribute `completedIntegratorStepNotNeeded`",
    ),
    fault(
        "maxOutputDerivativeOrder=\"1\"",
        "maxOutputDerivativeOrder=\"-1\"",
        "a whole number from 0 to 4294967295",
    ),
    fault(
        "canGetAndSetFMUState=\"true\"",
        "canGetAndSetFMUState=\"false\"",
        "canSerializeFMUState without",
    ),
    fault(
        " providesIntermediateUpdate=\"true\"",
        "",
        "canReturnEarlyAfterIntermediateUpdate without",
    ),
    fault(
        "fixedInternalStepSize=\"0.001\"",
        "fixedInternalStepSize=\"0\"",
        "fixedInternalStepSize=0; allowed: above 0",
    ),
    fault(" hasEventMode=\"true\"", "", "clocks without hasEventMode"),
    fault(
        "<ScheduledExecution modelIdentifier=\"tank\"",
        "<ScheduledExecution modelIdentifier=\"my tank\"",
        "a letter or _",
    ),
    fault(
        "<DefaultExperiment startTime",
        "<DefaultExperiments startTime",
        "did you mean `DefaultExperiment`",
    ),
    fault("type=\"org.example.more\"", "tpye=\"org.example.more\"", "did you mean `type`"),
    fault("<Annotation type=\"org.example.more\"/>", "", "<Annotations> lacks <Annotation>"),
    fault(
        "<TypeDefinitions>",
        "<TypeDefinitions><SimpleType name=\"a\"/>",
        "<TypeDefinitions> contains <SimpleType>, which it cannot",
    ),
    // Units, types, log
    fault(
        "<Unit name=\"degC\">",
        "<Unit name=\"m\"/><Unit name=\"degC\">",
        "a second <Unit> with name `m`",
    ),
    fault(
        "<DisplayUnit name=\"mm\"",
        "<DisplayUnit name=\"mm\"/><DisplayUnit name=\"mm\"",
        "a second <DisplayUnit>",
    ),
    fault("factor=\"1000\"", "factor=\"0\"", "factor=0"),
    fault("inverse=\"true\"", "inverse=\"true\" offset=\"1\"", "inverse with an offset"),
    fault("<BaseUnit K=\"1\" ", "<BaseUnit C=\"1\" ", "has no attribute `C`"),
    fault(
        "quantity=\"Height\" unit=\"m\" displayUnit=\"mm\"",
        "quantity=\"Height\" unit=\"m\" displayUnit=\"km\"",
        "displayUnit `km` is not one of unit `m`; allowed: mm, 1/m",
    ),
    fault(
        "max=\"100\" nominal=\"2.5\"",
        "max=\"100\" nominal=\"0\"",
        "nominal=0; allowed: above 0",
    ),
    fault("min=\"0\" max=\"100\"", "min=\"200\" max=\"100\"", "min=200 is above max=100"),
    fault(
        "<Float64Type name=\"Free\"/>",
        "<Float64Type name=\"Height\"/><Float64Type name=\"Free\"/>",
        "a second <Float64Type> with name `Height`",
    ),
    fault(
        "<Float64Type name=\"Free\"/>",
        "<Float64Type name=\"Free\"/><BooleanType name=\"count\"/>",
        "has the name of a variable",
    ),
    fault(
        "<Float64Type name=\"Free\"/>",
        "<Float64Type name=\"Free\" mean=\"1\"/>",
        "has no attribute `mean`",
    ),
    fault(
        "name=\"closed\" value=\"2\"",
        "name=\"open\" value=\"2\"",
        "a second <Item> with name `open`",
    ),
    fault("value=\"4\"", "value=\"1.5\"", "a whole number from"),
    fault(
        "<Category name=\"logEvents\"/>",
        "<Category name=\"LogEvents\"/>",
        "did you mean `logEvents`",
    ),
    fault("stopTime=\"10\"", "stopTime=\"-1\"", "stopTime=-1; allowed: after startTime=0"),
    fault("tolerance=\"1e-6\"", "tolerance=\"0\"", "tolerance=0; allowed: above 0"),
    // Variables
    fault(
        "<Float64 name=\"distance\"",
        "<Real name=\"distance\"",
        "<ModelVariables> contains <Real>, which it cannot",
    ),
    fault("name=\"count\"", "name=\"full\"", "a second one of this name"),
    fault("<Alias name=\"height\"", "<Alias name=\"level\"", "a second one of this name"),
    fault("<Alias name=\"height\"", "<Alias name=\"hei ght\"", "no structured name"),
    fault(
        "displayUnit=\"1/m\"",
        "displayUnit=\"furlong\"",
        "alias `height`: displayUnit `furlong` is not one of unit `m`",
    ),
    fault("name=\"inflow\"", "name=\"in flow\"", "no structured name"),
    fault(
        "name=\"count\" valueReference=\"9\"",
        "name=\"count\" valueReference=\"-9\"",
        "a whole number from 0 to",
    ),
    fault(
        "name=\"rows\" valueReference=\"13\"",
        "name=\"rows\"",
        "lacks the attribute `valueReference`",
    ),
    fault(
        "name=\"distance\" valueReference=\"21\"",
        "name=\"distance\" valueReference=\"15\"",
        "value reference 15 is also that of `picture`",
    ),
    fault(
        "valueReference=\"9\" causality=\"output\"",
        "valueReference=\"9\" causality=\"result\"",
        "causality=\"result\"",
    ),
    fault("causality=\"independent\"", "causality=\"local\"", "no independent variable"),
    fault(
        "<Float64 name=\"outflow\"",
        "<Float64 name=\"t\" valueReference=\"30\" causality=\"independent\"/><Float64 name=\"outflow\"",
        "a second independent variable",
    ),
    fault(
        "causality=\"independent\"/>",
        "causality=\"independent\" start=\"0\"/>",
        "a start value; causality=independent forbids it",
    ),
    fault(
        "causality=\"independent\"/>",
        "causality=\"independent\" initial=\"exact\"/>",
        "initial=exact for continuous independent; allowed: none",
    ),
    fault(
        "causality=\"parameter\" variability=\"tunable\"",
        "causality=\"parameter\" variability=\"discrete\"",
        "causality parameter with variability discrete",
    ),
    fault(
        "<Float64 name=\"outflow\" valueReference=\"7\" causality=\"output\"",
        "<Float64 name=\"outflow\" valueReference=\"7\" causality=\"output\" variability=\"fixed\"",
        "causality output with variability fixed",
    ),
    fault(
        "<Int32 name=\"count\"",
        "<Int32 name=\"count\" variability=\"continuous\"",
        "only Float32 and Float64 variables are continuous",
    ),
    fault(
        "name=\"pipe[1].area\"",
        "name=\"pipe[1].area\" initial=\"exact\"",
        "allowed: calculated, approx",
    ),
    fault(
        "causality=\"structuralParameter\"",
        "causality=\"structuralParameter\" initial=\"calculated\"",
        "allowed: exact",
    ),
    fault(
        "name=\"count\" valueReference",
        "name=\"count\" canHandleMultipleSetPerTimeInstant=\"true\" valueReference",
        "for inputs only",
    ),
    fault(
        "<Float64 name=\"outflow\"",
        "<Float64 start=\"1\" name=\"outflow\"",
        "a start value; initial=calculated forbids it",
    ),
    fault(
        " unit=\"m/s\" start=\"0.0\"",
        " unit=\"m/s\"",
        "no start value; initial=exact needs one",
    ),
    fault("<Start value=\"water\"/>", "", "no start value; initial=exact needs one"),
    fault(" start=\"false\"", "", "no start value; initial=exact needs one"),
    fault(
        "start=\"false\"",
        "start=\"no\"",
        "allowed: values separated by spaces, each true, false, 1, 0",
    ),
    fault("start=\"0.1\"", "start=\"1.5\"", "start=1.5 is outside of min=0, max=1"),
    fault(
        "declaredType=\"Height\" start=\"2.5\"",
        "declaredType=\"Height\" start=\"-2.5\"",
        "start=-2.5 is outside of min=0, max=100",
    ),
    fault("min=\"0\" max=\"1\"", "min=\"2\" max=\"1\"", "min=2 is above max=1"),
    fault(
        "declaredType=\"Valve\" start=\"2\"",
        "declaredType=\"Valve\" start=\"3\"",
        "no item of its type; allowed: 1, 2, 4",
    ),
    fault(" declaredType=\"Valve\"", "", "lacks the attribute `declaredType`"),
    fault(
        "declaredType=\"Valve\"",
        "declaredType=\"Free\"",
        "of type Float64, the variable of type Enumeration",
    ),
    fault("declaredType=\"Free\"", "declaredType=\"Frei\"", "did you mean `Free`"),
    fault(
        "<Int8 name=\"matrix\" valueReference=\"14\" causality=\"parameter\" start=\"1\"",
        "<Int8 name=\"matrix\" valueReference=\"14\" causality=\"parameter\" start=\"200\"",
        "a whole number from -128 to 127",
    ),
    fault("unit=\"degC\"", "unit=\"degF\"", "unit `degF` is not in UnitDefinitions"),
    fault(
        "causality=\"parameter\" unit=\"m\" displayUnit=\"mm\"",
        "causality=\"parameter\" displayUnit=\"mm\"",
        "displayUnit `mm` without a unit",
    ),
    fault(
        "derivative=\"1\"",
        "derivative=\"99\"",
        "derivative=99; allowed: the value reference of a variable",
    ),
    fault("derivative=\"1\"", "derivative=\"8\"", "derivative of `full`"),
    fault(
        "<Float64 name=\"der(level)\" valueReference=\"2\" unit=\"m/s\"",
        "<Float64 name=\"der(level)\" valueReference=\"2\" unit=\"degC\"",
        "in degC, the derivative of `level` in m",
    ),
    fault(
        "name=\"distance\" valueReference",
        "name=\"distance\" reinit=\"true\" valueReference",
        "reinit; allowed: of continuous states only",
    ),
    fault(
        "name=\"count\" valueReference",
        "name=\"count\" intermediateUpdate=\"true\" valueReference",
        "intermediateUpdate of a discrete variable",
    ),
    // Arrays
    fault("<Dimension start=\"4\"/>", "<Dimension start=\"0\"/>", "<Dimension> of size 0"),
    fault("<Dimension start=\"4\"/>", "<Dimension/>", "both or none of start and valueReference"),
    fault(
        "<Dimension start=\"4\"/>",
        "<Dimension start=\"4\" valueReference=\"13\"/>",
        "both or none of start and valueReference",
    ),
    fault(
        "<Dimension valueReference=\"13\"/>",
        "<Dimension valueReference=\"77\"/>",
        "valueReference=77; allowed: the value reference of a variable",
    ),
    fault(
        "<Dimension valueReference=\"13\"/>",
        "<Dimension valueReference=\"9\"/>",
        "a structural parameter or constant of type UInt64",
    ),
    fault("start=\"20 15 10\"", "start=\"20 15\"", "2 start values; allowed: 1 or 3"),
    fault(" start=\"0.1\"", " start=\"0.1 0.2\"", "2 start values; allowed: 1"),
    fault(
        "min=\"0\" start=\"3\"/>",
        "min=\"0\" start=\"3\"><Dimension start=\"1\"/></UInt64>",
        "<Dimension> of a structural parameter",
    ),
    fault("value=\"00fF\"", "value=\"0fF\"", "pairs of hexadecimal digits"),
    fault("maxSize=\"4\"", "maxSize=\"1\"", "a start of 2 bytes; allowed: maxSize=1"),
    // Clocks
    fault(
        "causality=\"input\" declaredType=\"Beat\"",
        "causality=\"parameter\" declaredType=\"Beat\"",
        "a clock with causality parameter; allowed: input, output, local",
    ),
    fault(
        "<Clock name=\"alarm\"",
        "<Clock variability=\"tunable\" name=\"alarm\"",
        "a tunable clock; allowed: discrete",
    ),
    fault(
        "priority=\"1\" intervalVariability=\"fixed\"",
        "priority=\"1\"",
        "lacks the attribute `intervalVariability`",
    ),
    fault(
        "causality=\"output\" intervalVariability=\"triggered\"",
        "causality=\"output\" intervalVariability=\"changing\"",
        "of a clock that is no input; allowed: triggered",
    ),
    fault(
        "causality=\"output\" intervalVariability=\"triggered\"",
        "causality=\"output\" intervalVariability=\"triggered\" priority=\"1\"",
        "priority of an output clock",
    ),
    fault(" priority=\"1\"", "", "Scheduled Execution needs one"),
    fault(" intervalDecimal=\"0.5\"", "", "a constant clock needs one"),
    fault(
        "intervalDecimal=\"0.5\"",
        "intervalDecimal=\"0\"",
        "intervalDecimal=0; allowed: above 0",
    ),
    fault(" supportsFraction=\"true\"", "", "intervalCounter without supportsFraction"),
    fault(" resolution=\"10\"", "", "intervalCounter without resolution"),
    fault(" intervalCounter=\"5\"", "", "shiftCounter without intervalCounter"),
    fault(
        "causality=\"output\" intervalVariability=\"triggered\"",
        "causality=\"output\" intervalVariability=\"triggered\" intervalDecimal=\"1\"",
        "intervalDecimal of a triggered clock",
    ),
    fault("clocks=\"16 18\"", "clocks=\"16 9\"", "clocks: 9 is no clock"),
    fault("clocks=\"16 18\"", "clocks=\"\"", "clocks is empty"),
    fault(
        "name=\"distance\" valueReference",
        "name=\"distance\" clocks=\"16\" valueReference",
        "clocks of a continuous variable",
    ),
    fault(" clocks=\"16 18\"", "", "previous without clocks"),
    fault("previous=\"20\"", "previous=\"19\"", "allowed: another discrete Int32 that is no input"),
    fault("previous=\"20\"", "previous=\"8\"", "previous is `full`"),
    fault(
        "previous=\"20\"",
        "previous=\"99\"",
        "previous=99; allowed: the value reference of a variable",
    ),
    // Structure
    fault(
        "    <Output valueReference=\"8\" dependencies=\"\"/>\n",
        "",
        "Output lacks `full` (valueReference 8)",
    ),
    fault(
        "<Output valueReference=\"8\" dependencies=\"\"/>",
        "<Output valueReference=\"8\"/><Output valueReference=\"8\"/>",
        "`full` (valueReference 8) is listed twice",
    ),
    fault(
        "<Output valueReference=\"8\" dependencies=\"\"/>",
        "<Output valueReference=\"8\"/><Output valueReference=\"4\"/>",
        "`pipe[1].area` (valueReference 4) does not belong here",
    ),
    fault(
        "<Output valueReference=\"8\" dependencies=\"\"/>",
        "<Output valueReference=\"8\"/><Output valueReference=\"77\"/>",
        "valueReference=77; allowed: the value reference of a variable",
    ),
    fault(
        "<Output valueReference=\"9\" dependencies=\"6 0\"/>",
        "<Output valueReference=\"9\" dependencies=\"6 6\"/>",
        "dependency 6 is there twice",
    ),
    fault(
        "<Output valueReference=\"9\" dependencies=\"6 0\"/>",
        "<Output valueReference=\"9\" dependencies=\"6 4\"/>",
        "dependency 4 is `pipe[1].area`; allowed: inputs, parameters, states",
    ),
    fault(
        "<Output valueReference=\"9\" dependencies=\"6 0\"/>",
        "<Output valueReference=\"9\" dependencies=\"6,0\"/>",
        "values separated by spaces",
    ),
    fault(
        "<Output valueReference=\"9\" dependencies=\"6 0\"/>",
        "<Output valueReference=\"9\" dependencies=\"6\" dependenciesKind=\"constant\"/>",
        "dependenciesKind constant of a variable of type Int32",
    ),
    fault(
        "dependenciesKind=\"constant dependent\"",
        "dependenciesKind=\"constant\"",
        "2 dependencies and 1 entries",
    ),
    fault(
        "<InitialUnknown valueReference=\"9\"/>",
        "<InitialUnknown valueReference=\"9\" dependenciesKind=\"dependent\"/>",
        "dependenciesKind without dependencies",
    ),
    fault(
        "dependencies=\"3\" dependenciesKind=\"dependent\"",
        "dependencies=\"3\" dependenciesKind=\"fixed\"",
        "words of dependent, constant",
    ),
    fault(
        "    <InitialUnknown valueReference=\"7\"/>\n",
        "",
        "InitialUnknown lacks `outflow` (valueReference 7)",
    ),
    fault(
        "<InitialUnknown valueReference=\"9\"/>",
        "<InitialUnknown valueReference=\"8\"/><InitialUnknown valueReference=\"9\"/>",
        "`full` (valueReference 8) does not belong here",
    ),
    fault(
        "<InitialUnknown valueReference=\"2\" dependencies=\"1 5\"/>",
        "<InitialUnknown valueReference=\"2\" dependencies=\"1 7\"/>",
        "dependency 7 is `outflow`; allowed: inputs, variables with initial exact",
    ),
    fault(
        "    <ClockedState valueReference=\"19\" dependencies=\"20\"/>\n",
        "",
        "ClockedState lacks `sampled`",
    ),
    fault(
        "<EventIndicator valueReference=\"21\"/>",
        "<EventIndicator valueReference=\"9\"/>",
        "`count` (valueReference 9) does not belong here; allowed: continuous",
    ),
    fault(
        "<EventIndicator valueReference=\"21\"/>",
        "<EventIndicator valueReference=\"21\"/><InitialUnknown valueReference=\"19\"/>",
        "<InitialUnknown> comes after <EventIndicator>",
    ),
    // Terminals
    fault(
        "<fmiTerminalsAndIcons fmiVersion=\"3.0\">",
        "<fmiTerminalsAndIcons fmiVersion=\"3.0.1\">",
        "fmiVersion=\"3.0.1\"; allowed: 3.0",
    ),
    fault("<Terminal name=\"other\"", "<Terminal name=\"port\"", "a second terminal `port`"),
    fault("matchingRule=\"plug\"", "matchingRule=\"plugs\"", "did you mean `plug`"),
    fault("matchingRule=\"sequence\"", "matchRule=\"sequence\"", "did you mean `matchingRule`"),
    fault(" memberName=\"h\"", "", "a member without memberName"),
    fault("memberName=\"h\"", "memberName=\"q\"", "a second member `q`"),
    fault("variableName=\"count\"", "variableName=\"counts\"", "did you mean `count`"),
    fault(
        "variableName=\"outflow\"",
        "variableName=\"level\"",
        "has causality local; allowed: input, output",
    ),
    fault("variableKind=\"signal\"", "variableKind=\"inflow\"", "a stream beside several flows"),
    fault(
        "inStreamVariableName=\"inflow\"",
        "inStreamVariableName=\"outflow\"",
        "has causality output; allowed: input, parameter",
    ),
    fault(
        "outStreamVariableName=\"pipe[1].area\"",
        "outStreamVariableName=\"pipe[2].area\"",
        "outStreamVariableName `pipe[2].area` is no variable",
    ),
    fault(
        "iconBaseName=\"port\"",
        "iconBaseName=\"gate\"",
        "there is no file `terminalsAndIcons/gate.png`",
    ),
    fault(
        "defaultConnectionColor=\"0 0 255\"",
        "defaultConnectionColor=\"0 0 256\"",
        "a whole number from 0 to 255",
    ),
    fault(
        " suggestedScalingFactorTo_mm=\"0.1\"",
        "",
        "lacks the attribute `suggestedScalingFactorTo_mm`",
    ),
    // Sources
    fault(
        "<BuildConfiguration modelIdentifier=\"tank\" platform",
        "<BuildConfiguration modelIdentifier=\"bank\" platform",
        "`bank` is not in the description; did you mean `tank`",
    ),
    fault(" platform=\"x86_64-linux\"", "", "a second <BuildConfiguration> without platform"),
    fault(
        "<SourceFile name=\"more/pump.c\"/>",
        "<SourceFile name=\"pump.c\"/>",
        "there is no file `sources/pump.c`",
    ),
    fault("<SourceFile name=\"more/pump.c\"/>", "", "lacks <SourceFile>"),
    fault(
        "<SourceFileSet name=\"more\">",
        "<SourceFileSet name=\"C\">",
        "a second <SourceFileSet> with name `C`",
    ),
    fault(
        "name=\"FAST\" value=\"1\"",
        "name=\"FAST\" value=\"2\"",
        "value `2` of `FAST` is none of its options",
    ),
];
