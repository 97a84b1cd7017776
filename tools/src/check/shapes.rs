//! Elements and attributes of a model description, as the schema of FMI 2.0.5 has them.

use super::grammar::{INTEGER, Inside, Occurs, Shape, TEXT, Text, UNSIGNED, elements};

use Occurs::{Any, AtLeastOne, Choice, Maybe, Once, Some as Several};
use Text::{Boolean, List, Real, Whole, Word};

/// Numbers of variables.
const INDICES: Text = List(&Whole(1, u32::MAX as i128));
const CAUSALITIES: &[&str] =
    &["parameter", "calculatedParameter", "input", "output", "local", "independent"];
pub const VARIABILITIES: &[&str] = &["constant", "fixed", "tunable", "discrete", "continuous"];
pub const KINDS: &[&str] = &["dependent", "constant", "fixed", "tunable", "discrete"];

/// What is inside is the tool's own business.
static TOOL: Shape =
    Shape { name: "Tool", attributes: &[&[("name*", TEXT)]], inside: Inside::Foreign(1) };

elements! {
    FILE = File { "name*": TEXT }
    SOURCES = SourceFiles {} [Several FILE]
    MODEL_EXCHANGE = ModelExchange { "modelIdentifier*": TEXT; "needsExecutionTool" "completedIntegratorStepNotNeeded"
        "canBeInstantiatedOnlyOncePerProcess" "canNotUseMemoryManagementFunctions" "canGetAndSetFMUstate"
        "canSerializeFMUstate" "providesDirectionalDerivative": Boolean }
        [Maybe SOURCES]
    CO_SIMULATION = CoSimulation { "modelIdentifier*": TEXT; "needsExecutionTool"
        "canHandleVariableCommunicationStepSize" "canInterpolateInputs": Boolean;
        "maxOutputDerivativeOrder": UNSIGNED; "canRunAsynchronuously" "canBeInstantiatedOnlyOncePerProcess"
        "canNotUseMemoryManagementFunctions" "canGetAndSetFMUstate" "canSerializeFMUstate"
        "providesDirectionalDerivative": Boolean }
        [Maybe SOURCES]
    BASE_UNIT = BaseUnit { "kg" "m" "s" "A" "K" "mol" "cd" "rad": INTEGER; "factor" "offset": Real }
    DISPLAY_UNIT = DisplayUnit { "name*": TEXT; "factor" "offset": Real }
    UNIT = Unit { "name*": TEXT } [Maybe BASE_UNIT, Any DISPLAY_UNIT]
    UNITS = UnitDefinitions {} [Several UNIT]
    ITEM = Item { "name*": TEXT; "value*": INTEGER; "description": TEXT }
    TYPE = SimpleType { "name*" "description": TEXT }
        [Choice TYPE_REAL, Choice TYPE_INTEGER, Choice TYPE_BOOLEAN, Choice TYPE_STRING, Choice TYPE_ENUMERATION]
    TYPE_REAL = Real { "quantity" "unit" "displayUnit": TEXT; "relativeQuantity": Boolean; "min" "max"
        "nominal": Real; "unbounded": Boolean }
    TYPE_INTEGER = Integer { "quantity": TEXT; "min" "max": INTEGER }
    TYPE_BOOLEAN = Boolean {}
    TYPE_STRING = String {}
    TYPE_ENUMERATION = Enumeration { "quantity": TEXT } [Several ITEM]
    TYPES = TypeDefinitions {} [Several TYPE]
    CATEGORY = Category { "name*" "description": TEXT }
    CATEGORIES = LogCategories {} [Any CATEGORY]
    EXPERIMENT = DefaultExperiment { "startTime" "stopTime" "tolerance" "stepSize": Real }
    VENDOR = VendorAnnotations {} [Any TOOL]
    ANNOTATIONS = Annotations {} [Any TOOL]
    REAL = Real { "declaredType" "quantity" "unit" "displayUnit": TEXT; "relativeQuantity": Boolean; "min" "max"
        "nominal": Real; "unbounded": Boolean; "start": Real; "derivative": UNSIGNED; "reinit": Boolean }
    WHOLE = Integer { "declaredType" "quantity": TEXT; "min" "max" "start": INTEGER }
    BOOLEAN = Boolean { "declaredType": TEXT; "start": Boolean }
    STRING = String { "declaredType" "start": TEXT }
    ENUMERATION = Enumeration { "declaredType*" "quantity": TEXT; "min" "max" "start": INTEGER }
    VARIABLE = ScalarVariable { "name*": TEXT; "valueReference*": UNSIGNED; "description": TEXT;
        "causality": Word(CAUSALITIES); "variability": Word(VARIABILITIES);
        "initial": Word(&["exact", "approx", "calculated"]); "canHandleMultipleSetPerTimeInstant": Boolean }
        [Choice REAL, Choice WHOLE, Choice BOOLEAN, Choice STRING, Choice ENUMERATION, Maybe ANNOTATIONS]
    VARIABLES = ModelVariables {} [Several VARIABLE]
    UNKNOWN = Unknown { "index*": UNSIGNED; "dependencies": INDICES; "dependenciesKind": List(&Word(KINDS)) }
    INITIAL_UNKNOWN = Unknown { "index*": UNSIGNED; "dependencies": INDICES;
        "dependenciesKind": List(&Word(&["dependent", "constant"])) }
    OUTPUTS = Outputs {} [Several UNKNOWN]
    DERIVATIVES = Derivatives {} [Several UNKNOWN]
    INITIAL = InitialUnknowns {} [Several INITIAL_UNKNOWN]
    STRUCTURE = ModelStructure {} [Maybe OUTPUTS, Maybe DERIVATIVES, Maybe INITIAL]
    /// The root.
    DESCRIPTION = fmiModelDescription { "fmiVersion*": Word(&["2.0"]); "modelName*" "guid*" "description" "author"
        "version" "copyright" "license" "generationTool" "generationDateAndTime": TEXT;
        "variableNamingConvention": Word(&["flat", "structured"]); "numberOfEventIndicators": UNSIGNED }
        [AtLeastOne MODEL_EXCHANGE, AtLeastOne CO_SIMULATION, Maybe UNITS, Maybe TYPES, Maybe CATEGORIES,
         Maybe EXPERIMENT, Maybe VENDOR, Once VARIABLES, Once STRUCTURE]
}
