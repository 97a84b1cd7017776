//! Elements and attributes of the files of FMI 3.0, as its schemas have them.

use super::super::grammar::{INTEGER, Inside, Occurs, Shape, TEXT, Text, UNSIGNED, elements};
use super::super::shapes::{BASE_UNIT, KINDS, VARIABILITIES};

use Occurs::{Any, AtLeastOne, Maybe, Mixed, Once, Some as Several};
use Text::{Boolean, Double, Hex, List, Real, Whole, Word};

const INT8: Text = Whole(i8::MIN as i128, i8::MAX as i128);
const UINT8: Text = Whole(0, u8::MAX as i128);
const INT16: Text = Whole(i16::MIN as i128, i16::MAX as i128);
const UINT16: Text = Whole(0, u16::MAX as i128);
const INT64: Text = Whole(i64::MIN as i128, i64::MAX as i128);
const UINT64: Text = Whole(0, u64::MAX as i128);
const REFERENCES: Text = List(&UNSIGNED);

const CAUSALITIES: &[&str] = &[
    "structuralParameter",
    "parameter",
    "calculatedParameter",
    "input",
    "output",
    "local",
    "independent",
];
const INTERVALS: &[&str] = &["constant", "fixed", "tunable", "changing", "countdown", "triggered"];

static ANNOTATION: Shape = Shape {
    name: "Annotation",
    attributes: &[&[("type*", TEXT)]],
    inside: Inside::Foreign(usize::MAX),
};

type Attributes = &'static [(&'static str, Text)];

/// Of every kind of use.
const USE: Attributes = &[
    ("modelIdentifier*", TEXT),
    ("needsExecutionTool", Boolean),
    ("canBeInstantiatedOnlyOncePerProcess", Boolean),
    ("canGetAndSetFMUState", Boolean),
    ("canSerializeFMUState", Boolean),
    ("providesDirectionalDerivatives", Boolean),
    ("providesAdjointDerivatives", Boolean),
    ("providesPerElementDependencies", Boolean),
];

elements! {
    ANNOTATIONS = Annotations {} [Several ANNOTATION]
    MODEL_EXCHANGE = ModelExchange(USE) { "needsCompletedIntegratorStep" "providesEvaluateDiscreteStates": Boolean }
        [Maybe ANNOTATIONS]
    CO_SIMULATION = CoSimulation(USE) { "canHandleVariableCommunicationStepSize": Boolean; "fixedInternalStepSize": Real;
        "maxOutputDerivativeOrder": UNSIGNED; "recommendedIntermediateInputSmoothness": INTEGER;
        "providesIntermediateUpdate" "mightReturnEarlyFromDoStep" "canReturnEarlyAfterIntermediateUpdate"
        "hasEventMode" "providesEvaluateDiscreteStates": Boolean }
        [Maybe ANNOTATIONS]
    SCHEDULED_EXECUTION = ScheduledExecution(USE) {} [Maybe ANNOTATIONS]

    DISPLAY_UNIT = DisplayUnit { "name*": TEXT; "factor" "offset": Real; "inverse": Boolean } [Maybe ANNOTATIONS]
    UNIT = Unit { "name*": TEXT } [Maybe BASE_UNIT, Any DISPLAY_UNIT, Maybe ANNOTATIONS]
    UNITS = UnitDefinitions {} [Several UNIT]

    ITEM = Item { "name*": TEXT; "value*": INT64; "description": TEXT } [Maybe ANNOTATIONS]
    DIMENSION = Dimension { "start": UINT64; "valueReference": UNSIGNED }
    ALIAS = Alias { "name*" "description": TEXT }
    ALIAS_OF_REAL = Alias { "name*" "description" "displayUnit": TEXT }
    START_TEXT = Start { "value": TEXT }
    START_BYTES = Start { "value": Hex }
}

/// Of every type.
const TYPE: Attributes = &[("name*", TEXT), ("description", TEXT)];
/// Of every variable.
const VARIABLE: Attributes = &[
    ("name*", TEXT),
    ("valueReference*", UNSIGNED),
    ("description", TEXT),
    ("causality", Word(CAUSALITIES)),
    ("variability", Word(VARIABILITIES)),
    ("canHandleMultipleSetPerTimeInstant", Boolean),
    ("clocks", REFERENCES),
];
const DECLARED: Attributes = &[("declaredType", TEXT)];
/// Of every variable but a clock.
const ARRAY: Attributes = &[
    ("intermediateUpdate", Boolean),
    ("previous", UNSIGNED),
    ("initial", Word(&["exact", "approx", "calculated"])),
];

/// A type and the variables that have it, with attributes that both have, further ones of the variable, and what is in the type and in the
/// variable.
macro_rules! values {
    ($type:ident $of:ident, $id:ident $name:ident($($base:ident)+) { $($both:tt)* } { $($own:tt)* }
        [$($item:tt)*] [$($child:tt)+]) => {
        elements! {
            $type = $of(TYPE) { $($both)* } [Maybe ANNOTATIONS $($item)*]
            $id = $name(VARIABLE $($base)+) { $($both)* $($own)* } [Maybe ANNOTATIONS, $($child)+]
        }
    };
}

macro_rules! reals {
    ($($type:ident $of:ident, $id:ident $name:ident;)*) => {$(values! {
        $type $of, $id $name(DECLARED ARRAY)
        { "quantity" "unit" "displayUnit": TEXT; "relativeQuantity" "unbounded": Boolean; "min" "max" "nominal": Real }
        { ; "start": List(&Double); "derivative": UNSIGNED; "reinit": Boolean }
        [] [Any DIMENSION, Any ALIAS_OF_REAL]
    })*};
}

macro_rules! wholes {
    ($($type:ident $of:ident, $id:ident $name:ident: $range:expr;)*) => {$(values! {
        $type $of, $id $name(DECLARED ARRAY)
        { "quantity": TEXT; "min" "max": $range }
        { ; "start": List(&$range) }
        [] [Any DIMENSION, Any ALIAS]
    })*};
}

reals! {
    FLOAT32_TYPE Float32Type, FLOAT32 Float32;
    FLOAT64_TYPE Float64Type, FLOAT64 Float64;
}
wholes! {
    INT8_TYPE Int8Type, INT8_VARIABLE Int8: INT8;
    UINT8_TYPE UInt8Type, UINT8_VARIABLE UInt8: UINT8;
    INT16_TYPE Int16Type, INT16_VARIABLE Int16: INT16;
    UINT16_TYPE UInt16Type, UINT16_VARIABLE UInt16: UINT16;
    INT32_TYPE Int32Type, INT32_VARIABLE Int32: INTEGER;
    UINT32_TYPE UInt32Type, UINT32_VARIABLE UInt32: UNSIGNED;
    INT64_TYPE Int64Type, INT64_VARIABLE Int64: INT64;
    UINT64_TYPE UInt64Type, UINT64_VARIABLE UInt64: UINT64;
}
values! {
    BOOLEAN_TYPE BooleanType, BOOLEAN Boolean(DECLARED ARRAY)
    {} { "start": List(&Boolean) } [] [Any DIMENSION, Any ALIAS]
}
values! {
    STRING_TYPE StringType, STRING String(DECLARED ARRAY)
    {} {} [] [Any DIMENSION, Any START_TEXT, Any ALIAS]
}
values! {
    BINARY_TYPE BinaryType, BINARY Binary(DECLARED ARRAY)
    { "mimeType": TEXT; "maxSize": UINT64 } {} [] [Any DIMENSION, Any START_BYTES, Any ALIAS]
}
values! {
    ENUMERATION_TYPE EnumerationType, ENUMERATION Enumeration(ARRAY)
    { "quantity": TEXT; "min" "max": INT64 } { ; "declaredType*": TEXT; "start": List(&INT64) }
    [, Several ITEM] [Any DIMENSION, Any ALIAS]
}
values! {
    CLOCK_TYPE ClockType, CLOCK Clock(DECLARED)
    {
        "canBeDeactivated": Boolean; "priority": UNSIGNED; "intervalVariability*": Word(INTERVALS);
        "intervalDecimal" "shiftDecimal": Real; "supportsFraction": Boolean;
        "resolution" "intervalCounter" "shiftCounter": UINT64
    }
    {} [] [Any ALIAS]
}

/// Dependencies of a variable in the structure.
const DEPENDENCIES: Attributes = &[("valueReference*", UNSIGNED), ("dependencies", REFERENCES)];

elements! {
    TYPES = TypeDefinitions {}
        [Mixed FLOAT32_TYPE, Mixed FLOAT64_TYPE, Mixed INT8_TYPE, Mixed UINT8_TYPE, Mixed INT16_TYPE, Mixed UINT16_TYPE,
         Mixed INT32_TYPE, Mixed UINT32_TYPE, Mixed INT64_TYPE, Mixed UINT64_TYPE, Mixed BOOLEAN_TYPE, Mixed STRING_TYPE,
         Mixed BINARY_TYPE, Mixed ENUMERATION_TYPE, Mixed CLOCK_TYPE]
    VARIABLES = ModelVariables {}
        [Mixed FLOAT32, Mixed FLOAT64, Mixed INT8_VARIABLE, Mixed UINT8_VARIABLE, Mixed INT16_VARIABLE,
         Mixed UINT16_VARIABLE, Mixed INT32_VARIABLE, Mixed UINT32_VARIABLE, Mixed INT64_VARIABLE, Mixed UINT64_VARIABLE,
         Mixed BOOLEAN, Mixed STRING, Mixed BINARY, Mixed ENUMERATION, Mixed CLOCK]

    CATEGORY = Category { "name*" "description": TEXT } [Maybe ANNOTATIONS]
    CATEGORIES = LogCategories {} [Several CATEGORY]
    EXPERIMENT = DefaultExperiment { "startTime" "stopTime" "tolerance" "stepSize": Real } [Maybe ANNOTATIONS]

    OUTPUT = Output(DEPENDENCIES) { "dependenciesKind": List(&Word(KINDS)) } [Maybe ANNOTATIONS]
    DERIVATIVE = ContinuousStateDerivative(DEPENDENCIES) { "dependenciesKind": List(&Word(KINDS)) } [Maybe ANNOTATIONS]
    CLOCKED_STATE = ClockedState(DEPENDENCIES) { "dependenciesKind": List(&Word(KINDS)) } [Maybe ANNOTATIONS]
    /// At the start fewer kinds of dependencies are known.
    INITIAL = InitialUnknown(DEPENDENCIES) { "dependenciesKind": List(&Word(&["dependent", "constant"])) }
        [Maybe ANNOTATIONS]
    INDICATOR = EventIndicator(DEPENDENCIES) { "dependenciesKind": List(&Word(KINDS)) } [Maybe ANNOTATIONS]
    STRUCTURE = ModelStructure {} [Any OUTPUT, Any DERIVATIVE, Any CLOCKED_STATE, Any INITIAL, Any INDICATOR]

    /// Of `modelDescription.xml`.
    DESCRIPTION = fmiModelDescription { "fmiVersion*" "modelName*" "instantiationToken*" "description" "author"
        "version" "copyright" "license" "generationTool" "generationDateAndTime": TEXT;
        "variableNamingConvention": Word(&["flat", "structured"]) }
        [AtLeastOne MODEL_EXCHANGE, AtLeastOne CO_SIMULATION, AtLeastOne SCHEDULED_EXECUTION, Maybe UNITS,
         Maybe TYPES, Maybe CATEGORIES, Maybe EXPERIMENT, Once VARIABLES, Once STRUCTURE, Maybe ANNOTATIONS]

    COORDINATES = CoordinateSystem { "x1*" "y1*" "x2*" "y2*" "suggestedScalingFactorTo_mm*": Real }
    ICON = Icon { "x1*" "y1*" "x2*" "y2*": Real }
    GRAPHICS = GraphicalRepresentation {} [Maybe COORDINATES, Maybe ICON, Maybe ANNOTATIONS]
    MEMBER = TerminalMemberVariable { "variableName*" "memberName" "variableKind*": TEXT } [Maybe ANNOTATIONS]
    STREAM = TerminalStreamMemberVariable { "inStreamMemberName*" "outStreamMemberName*" "inStreamVariableName*"
        "outStreamVariableName*": TEXT }
        [Maybe ANNOTATIONS]
    TERMINAL_GRAPHICS = TerminalGraphicalRepresentation { "defaultConnectionColor": List(&UINT8);
        "defaultConnectionStrokeSize" "x1*" "y1*" "x2*" "y2*": Real; "iconBaseName*": TEXT }
        [Maybe ANNOTATIONS]
    TERMINAL = Terminal { "name*" "matchingRule*" "terminalKind" "description": TEXT }
        [Any MEMBER, Any STREAM, Any TERMINAL, Maybe TERMINAL_GRAPHICS, Maybe ANNOTATIONS]
    TERMINAL_LIST = Terminals {} [Several TERMINAL]
    /// Of `terminalsAndIcons.xml`.
    TERMINALS = fmiTerminalsAndIcons { "fmiVersion*": TEXT } [Maybe GRAPHICS, Maybe TERMINAL_LIST, Maybe ANNOTATIONS]

    SOURCE = SourceFile { "name*": TEXT } [Maybe ANNOTATIONS]
    OPTION = Option { "value" "description": TEXT }
    DEFINITION = PreprocessorDefinition { "name*": TEXT; "optional": Boolean; "value" "description": TEXT }
        [Any OPTION, Maybe ANNOTATIONS]
    INCLUDE = IncludeDirectory { "name*": TEXT } [Maybe ANNOTATIONS]
    SOURCES = SourceFileSet { "name" "language" "compiler" "compilerOptions": TEXT }
        [Several SOURCE, Any DEFINITION, Any INCLUDE, Maybe ANNOTATIONS]
    LIBRARY = Library { "name*" "version": TEXT; "external": Boolean; "description": TEXT } [Maybe ANNOTATIONS]
    CONFIGURATION = BuildConfiguration { "modelIdentifier*" "platform" "description": TEXT }
        [Several SOURCES, Any LIBRARY, Maybe ANNOTATIONS]
    /// Of `buildDescription.xml`, where the text of the standard wants a set of sources that its schema does not.
    BUILD = fmiBuildDescription { "fmiVersion*": TEXT } [Several CONFIGURATION, Maybe ANNOTATIONS]
}
