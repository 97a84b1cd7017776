//! Elements and attributes of the files of FMI 3.0, as its schemas have them.

use super::super::grammar::{INTEGER, Inside, Occurs, Shape, Text, UNSIGNED, shape};

use Occurs::{Any, AtLeastOne, Maybe, Mixed, Once, Some as Several};
use Text::{Boolean, Double, Hex, List, Real, Whole, Word};

const TEXT: Text = Text::Any;
const INT8: Text = Whole(i8::MIN as i128, i8::MAX as i128);
const UINT8: Text = Whole(0, u8::MAX as i128);
const INT16: Text = Whole(i16::MIN as i128, i16::MAX as i128);
const UINT16: Text = Whole(0, u16::MAX as i128);
const INT64: Text = Whole(i64::MIN as i128, i64::MAX as i128);
const UINT64: Text = Whole(0, u64::MAX as i128);
const REFERENCES: Text = List(&UNSIGNED);

static ANNOTATION: Shape = Shape {
    name: "Annotation",
    attributes: &[("type*", TEXT)],
    inside: Inside::Foreign(usize::MAX),
};
static ANNOTATIONS: Shape = shape("Annotations", &[], &[(Several, &ANNOTATION)]);

/// A kind of use, with what all of them have.
macro_rules! interface {
    ($id:ident, $name:literal, [$($own:expr),*]) => {
        static $id: Shape = shape(
            $name,
            &[
                ("modelIdentifier*", TEXT),
                ("needsExecutionTool", Boolean),
                ("canBeInstantiatedOnlyOncePerProcess", Boolean),
                ("canGetAndSetFMUState", Boolean),
                ("canSerializeFMUState", Boolean),
                ("providesDirectionalDerivatives", Boolean),
                ("providesAdjointDerivatives", Boolean),
                ("providesPerElementDependencies", Boolean),
                $($own),*
            ],
            &[(Maybe, &ANNOTATIONS)],
        );
    };
}

interface!(
    MODEL_EXCHANGE,
    "ModelExchange",
    [("needsCompletedIntegratorStep", Boolean), ("providesEvaluateDiscreteStates", Boolean)]
);
interface!(
    CO_SIMULATION,
    "CoSimulation",
    [
        ("canHandleVariableCommunicationStepSize", Boolean),
        ("fixedInternalStepSize", Real),
        ("maxOutputDerivativeOrder", UNSIGNED),
        ("recommendedIntermediateInputSmoothness", INTEGER),
        ("providesIntermediateUpdate", Boolean),
        ("mightReturnEarlyFromDoStep", Boolean),
        ("canReturnEarlyAfterIntermediateUpdate", Boolean),
        ("hasEventMode", Boolean),
        ("providesEvaluateDiscreteStates", Boolean)
    ]
);
interface!(SCHEDULED_EXECUTION, "ScheduledExecution", []);

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
static DISPLAY_UNIT: Shape = shape(
    "DisplayUnit",
    &[("name*", TEXT), ("factor", Real), ("offset", Real), ("inverse", Boolean)],
    &[(Maybe, &ANNOTATIONS)],
);
static UNIT: Shape = shape(
    "Unit",
    &[("name*", TEXT)],
    &[(Maybe, &BASE_UNIT), (Any, &DISPLAY_UNIT), (Maybe, &ANNOTATIONS)],
);
static UNITS: Shape = shape("UnitDefinitions", &[], &[(Several, &UNIT)]);

static ITEM: Shape = shape(
    "Item",
    &[("name*", TEXT), ("value*", INT64), ("description", TEXT)],
    &[(Maybe, &ANNOTATIONS)],
);
static DIMENSION: Shape =
    shape("Dimension", &[("start", UINT64), ("valueReference", UNSIGNED)], &[]);
static ALIAS: Shape = shape("Alias", &[("name*", TEXT), ("description", TEXT)], &[]);
static ALIAS_OF_REAL: Shape =
    shape("Alias", &[("name*", TEXT), ("description", TEXT), ("displayUnit", TEXT)], &[]);
static START_TEXT: Shape = shape("Start", &[("value", TEXT)], &[]);
static START_BYTES: Shape = shape("Start", &[("value", Hex)], &[]);

const CAUSALITIES: &[&str] = &[
    "structuralParameter",
    "parameter",
    "calculatedParameter",
    "input",
    "output",
    "local",
    "independent",
];
const VARIABILITIES: &[&str] = &["constant", "fixed", "tunable", "discrete", "continuous"];

/// A type and the variables that have it, whose names are `$name` with and without `Type`: what both say of values, and of variables their start
/// (and whether the type must be declared), further attributes and elements.
macro_rules! values {
    (
        $type:ident, $id:ident, $of:literal, $name:literal, $declared:literal, [$($shared:expr),*], [$($own:expr),*],
        [$($items:expr),*], [$($children:expr),*]
    ) => {
        static $type: Shape = shape(
            $of,
            &[("name*", TEXT), ("description", TEXT), $($shared),*],
            &[(Maybe, &ANNOTATIONS), $($items),*],
        );
        static $id: Shape = shape(
            $name,
            &[
                ("name*", TEXT),
                ("valueReference*", UNSIGNED),
                ("description", TEXT),
                ("causality", Word(CAUSALITIES)),
                ("variability", Word(VARIABILITIES)),
                ("canHandleMultipleSetPerTimeInstant", Boolean),
                ("clocks", REFERENCES),
                ($declared, TEXT),
                $($shared,)*
                $($own),*
            ],
            &[(Maybe, &ANNOTATIONS), $($children),*],
        );
    };
}

/// What every variable but a clock may have besides.
macro_rules! array {
    (
        $type:ident, $id:ident, $of:literal, $name:literal, $declared:literal, [$($shared:expr),*], [$($own:expr),*],
        [$($items:expr),*], [$($children:expr),*]
    ) => {
        values!(
            $type, $id, $of, $name, $declared, [$($shared),*],
            [
                ("intermediateUpdate", Boolean),
                ("previous", UNSIGNED),
                ("initial", Word(&["exact", "approx", "calculated"]))
                $(, $own)*
            ],
            [$($items),*], [(Any, &DIMENSION), $($children),*]
        );
    };
}

macro_rules! real {
    ($type:ident, $id:ident, $of:literal, $name:literal) => {
        array!(
            $type,
            $id,
            $of,
            $name,
            "declaredType",
            [
                ("quantity", TEXT),
                ("unit", TEXT),
                ("displayUnit", TEXT),
                ("relativeQuantity", Boolean),
                ("unbounded", Boolean),
                ("min", Real),
                ("max", Real),
                ("nominal", Real)
            ],
            [("start", List(&Double)), ("derivative", UNSIGNED), ("reinit", Boolean)],
            [],
            [(Any, &ALIAS_OF_REAL)]
        );
    };
}

macro_rules! whole {
    ($type:ident, $id:ident, $of:literal, $name:literal, $value:expr) => {
        array!(
            $type,
            $id,
            $of,
            $name,
            "declaredType",
            [("quantity", TEXT), ("min", $value), ("max", $value)],
            [("start", List(&$value))],
            [],
            [(Any, &ALIAS)]
        );
    };
}

real!(FLOAT32_TYPE, FLOAT32, "Float32Type", "Float32");
real!(FLOAT64_TYPE, FLOAT64, "Float64Type", "Float64");
whole!(INT8_TYPE, INT8_VARIABLE, "Int8Type", "Int8", INT8);
whole!(UINT8_TYPE, UINT8_VARIABLE, "UInt8Type", "UInt8", UINT8);
whole!(INT16_TYPE, INT16_VARIABLE, "Int16Type", "Int16", INT16);
whole!(UINT16_TYPE, UINT16_VARIABLE, "UInt16Type", "UInt16", UINT16);
whole!(INT32_TYPE, INT32_VARIABLE, "Int32Type", "Int32", INTEGER);
whole!(UINT32_TYPE, UINT32_VARIABLE, "UInt32Type", "UInt32", UNSIGNED);
whole!(INT64_TYPE, INT64_VARIABLE, "Int64Type", "Int64", INT64);
whole!(UINT64_TYPE, UINT64_VARIABLE, "UInt64Type", "UInt64", UINT64);
array!(
    BOOLEAN_TYPE,
    BOOLEAN,
    "BooleanType",
    "Boolean",
    "declaredType",
    [],
    [("start", List(&Boolean))],
    [],
    [(Any, &ALIAS)]
);
array!(
    STRING_TYPE,
    STRING,
    "StringType",
    "String",
    "declaredType",
    [],
    [],
    [],
    [(Any, &START_TEXT), (Any, &ALIAS)]
);
array!(
    BINARY_TYPE,
    BINARY,
    "BinaryType",
    "Binary",
    "declaredType",
    [("mimeType", TEXT), ("maxSize", UINT64)],
    [],
    [],
    [(Any, &START_BYTES), (Any, &ALIAS)]
);
array!(
    ENUMERATION_TYPE,
    ENUMERATION,
    "EnumerationType",
    "Enumeration",
    "declaredType*",
    [("quantity", TEXT), ("min", INT64), ("max", INT64)],
    [("start", List(&INT64))],
    [(Several, &ITEM)],
    [(Any, &ALIAS)]
);
const INTERVALS: &[&str] = &["constant", "fixed", "tunable", "changing", "countdown", "triggered"];
values!(
    CLOCK_TYPE,
    CLOCK,
    "ClockType",
    "Clock",
    "declaredType",
    [
        ("canBeDeactivated", Boolean),
        ("priority", UNSIGNED),
        ("intervalVariability*", Word(INTERVALS)),
        ("intervalDecimal", Real),
        ("shiftDecimal", Real),
        ("supportsFraction", Boolean),
        ("resolution", UINT64),
        ("intervalCounter", UINT64),
        ("shiftCounter", UINT64)
    ],
    [],
    [],
    [(Any, &ALIAS)]
);

static TYPES: Shape = shape(
    "TypeDefinitions",
    &[],
    &[
        (Mixed, &FLOAT32_TYPE),
        (Mixed, &FLOAT64_TYPE),
        (Mixed, &INT8_TYPE),
        (Mixed, &UINT8_TYPE),
        (Mixed, &INT16_TYPE),
        (Mixed, &UINT16_TYPE),
        (Mixed, &INT32_TYPE),
        (Mixed, &UINT32_TYPE),
        (Mixed, &INT64_TYPE),
        (Mixed, &UINT64_TYPE),
        (Mixed, &BOOLEAN_TYPE),
        (Mixed, &STRING_TYPE),
        (Mixed, &BINARY_TYPE),
        (Mixed, &ENUMERATION_TYPE),
        (Mixed, &CLOCK_TYPE),
    ],
);
static VARIABLES: Shape = shape(
    "ModelVariables",
    &[],
    &[
        (Mixed, &FLOAT32),
        (Mixed, &FLOAT64),
        (Mixed, &INT8_VARIABLE),
        (Mixed, &UINT8_VARIABLE),
        (Mixed, &INT16_VARIABLE),
        (Mixed, &UINT16_VARIABLE),
        (Mixed, &INT32_VARIABLE),
        (Mixed, &UINT32_VARIABLE),
        (Mixed, &INT64_VARIABLE),
        (Mixed, &UINT64_VARIABLE),
        (Mixed, &BOOLEAN),
        (Mixed, &STRING),
        (Mixed, &BINARY),
        (Mixed, &ENUMERATION),
        (Mixed, &CLOCK),
    ],
);

static CATEGORY: Shape =
    shape("Category", &[("name*", TEXT), ("description", TEXT)], &[(Maybe, &ANNOTATIONS)]);
static CATEGORIES: Shape = shape("LogCategories", &[], &[(Several, &CATEGORY)]);
static EXPERIMENT: Shape = shape(
    "DefaultExperiment",
    &[("startTime", Real), ("stopTime", Real), ("tolerance", Real), ("stepSize", Real)],
    &[(Maybe, &ANNOTATIONS)],
);

/// An entry of the structure; at the start fewer kinds of dependencies are known.
macro_rules! unknown {
    ($id:ident, $name:literal, $kinds:expr) => {
        static $id: Shape = shape(
            $name,
            &[
                ("valueReference*", UNSIGNED),
                ("dependencies", REFERENCES),
                ("dependenciesKind", List(&Word($kinds))),
            ],
            &[(Maybe, &ANNOTATIONS)],
        );
    };
}
const KINDS: &[&str] = &["dependent", "constant", "fixed", "tunable", "discrete"];
unknown!(OUTPUT, "Output", KINDS);
unknown!(DERIVATIVE, "ContinuousStateDerivative", KINDS);
unknown!(CLOCKED_STATE, "ClockedState", KINDS);
unknown!(INITIAL, "InitialUnknown", &["dependent", "constant"]);
unknown!(INDICATOR, "EventIndicator", KINDS);
static STRUCTURE: Shape = shape(
    "ModelStructure",
    &[],
    &[
        (Any, &OUTPUT),
        (Any, &DERIVATIVE),
        (Any, &CLOCKED_STATE),
        (Any, &INITIAL),
        (Any, &INDICATOR),
    ],
);

/// Of `modelDescription.xml`.
pub static DESCRIPTION: Shape = shape(
    "fmiModelDescription",
    &[
        ("fmiVersion*", TEXT),
        ("modelName*", TEXT),
        ("instantiationToken*", TEXT),
        ("description", TEXT),
        ("author", TEXT),
        ("version", TEXT),
        ("copyright", TEXT),
        ("license", TEXT),
        ("generationTool", TEXT),
        ("generationDateAndTime", TEXT),
        ("variableNamingConvention", Word(&["flat", "structured"])),
    ],
    &[
        (AtLeastOne, &MODEL_EXCHANGE),
        (AtLeastOne, &CO_SIMULATION),
        (AtLeastOne, &SCHEDULED_EXECUTION),
        (Maybe, &UNITS),
        (Maybe, &TYPES),
        (Maybe, &CATEGORIES),
        (Maybe, &EXPERIMENT),
        (Once, &VARIABLES),
        (Once, &STRUCTURE),
        (Maybe, &ANNOTATIONS),
    ],
);

const BOX: &[(&str, Text)] = &[("x1*", Real), ("y1*", Real), ("x2*", Real), ("y2*", Real)];
static COORDINATES: Shape = shape(
    "CoordinateSystem",
    &[
        ("x1*", Real),
        ("y1*", Real),
        ("x2*", Real),
        ("y2*", Real),
        ("suggestedScalingFactorTo_mm*", Real),
    ],
    &[],
);
static ICON: Shape = shape("Icon", BOX, &[]);
static GRAPHICS: Shape = shape(
    "GraphicalRepresentation",
    &[],
    &[(Maybe, &COORDINATES), (Maybe, &ICON), (Maybe, &ANNOTATIONS)],
);
static MEMBER: Shape = shape(
    "TerminalMemberVariable",
    &[("variableName*", TEXT), ("memberName", TEXT), ("variableKind*", TEXT)],
    &[(Maybe, &ANNOTATIONS)],
);
static STREAM: Shape = shape(
    "TerminalStreamMemberVariable",
    &[
        ("inStreamMemberName*", TEXT),
        ("outStreamMemberName*", TEXT),
        ("inStreamVariableName*", TEXT),
        ("outStreamVariableName*", TEXT),
    ],
    &[(Maybe, &ANNOTATIONS)],
);
static TERMINAL_GRAPHICS: Shape = shape(
    "TerminalGraphicalRepresentation",
    &[
        ("defaultConnectionColor", List(&UINT8)),
        ("defaultConnectionStrokeSize", Real),
        ("x1*", Real),
        ("y1*", Real),
        ("x2*", Real),
        ("y2*", Real),
        ("iconBaseName*", TEXT),
    ],
    &[(Maybe, &ANNOTATIONS)],
);
static TERMINAL: Shape = shape(
    "Terminal",
    &[("name*", TEXT), ("matchingRule*", TEXT), ("terminalKind", TEXT), ("description", TEXT)],
    &[
        (Any, &MEMBER),
        (Any, &STREAM),
        (Any, &TERMINAL),
        (Maybe, &TERMINAL_GRAPHICS),
        (Maybe, &ANNOTATIONS),
    ],
);
static TERMINAL_LIST: Shape = shape("Terminals", &[], &[(Several, &TERMINAL)]);
/// Of `terminalsAndIcons.xml`.
pub static TERMINALS: Shape = shape(
    "fmiTerminalsAndIcons",
    &[("fmiVersion*", TEXT)],
    &[(Maybe, &GRAPHICS), (Maybe, &TERMINAL_LIST), (Maybe, &ANNOTATIONS)],
);

static SOURCE: Shape = shape("SourceFile", &[("name*", TEXT)], &[(Maybe, &ANNOTATIONS)]);
static OPTION: Shape = shape("Option", &[("value", TEXT), ("description", TEXT)], &[]);
static DEFINITION: Shape = shape(
    "PreprocessorDefinition",
    &[("name*", TEXT), ("optional", Boolean), ("value", TEXT), ("description", TEXT)],
    &[(Any, &OPTION), (Maybe, &ANNOTATIONS)],
);
static INCLUDE: Shape = shape("IncludeDirectory", &[("name*", TEXT)], &[(Maybe, &ANNOTATIONS)]);
static SOURCES: Shape = shape(
    "SourceFileSet",
    &[("name", TEXT), ("language", TEXT), ("compiler", TEXT), ("compilerOptions", TEXT)],
    &[(Several, &SOURCE), (Any, &DEFINITION), (Any, &INCLUDE), (Maybe, &ANNOTATIONS)],
);
static LIBRARY: Shape = shape(
    "Library",
    &[("name*", TEXT), ("version", TEXT), ("external", Boolean), ("description", TEXT)],
    &[(Maybe, &ANNOTATIONS)],
);
static CONFIGURATION: Shape = shape(
    "BuildConfiguration",
    &[("modelIdentifier*", TEXT), ("platform", TEXT), ("description", TEXT)],
    &[(Several, &SOURCES), (Any, &LIBRARY), (Maybe, &ANNOTATIONS)],
);
/// Of `buildDescription.xml`, where the text of the standard wants a set of sources that its schema does not.
pub static BUILD: Shape = shape(
    "fmiBuildDescription",
    &[("fmiVersion*", TEXT)],
    &[(Several, &CONFIGURATION), (Maybe, &ANNOTATIONS)],
);
