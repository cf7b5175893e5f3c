//! The matchers that follow `expect(a)` and `a.should`, by their names.

use super::super::super::claiming::Side;
use crate::facts::Strength::{self, NotNull, Pattern, Shape, Structure, Value};

/// What a matcher says of its subject.
#[derive(Clone, Copy)]
pub enum Matcher {
    Equal(Strength),
    /// Equal to this word.
    Fixed(&'static str),
    Present(&'static str),
    Truthy,
    Falsy,
    /// Holds together with its arguments.
    Has(Strength),
    Length,
    Property,
    Bound(Side, bool),
    /// Between its two arguments.
    Within,
    /// Digits that agree.
    Digits,
    Distance,
    Throws,
    CalledWith,
    Called(Strength),
    Snapshot,
    InlineSnapshot,
    ThrowsSnapshot,
}

/// A matcher that is called: `toBe(1)`, `equal(1)`.
pub fn called(name: &str) -> Option<Matcher> {
    use Matcher::*;
    Some(match name {
        "toBe"
        | "toEqual"
        | "equal"
        | "equals"
        | "eq"
        | "eql"
        | "eqls"
        | "is"
        | "members"
        | "toEqualValue"
        | "toHaveText"
        | "toHaveValue"
        | "toHaveURL"
        | "toHaveTitle"
        | "toHaveCount"
        | "toHaveValues"
        | "toHaveDisplayValue"
        | "status"
        | "statusCode"
        | "toHaveReturnedWith"
        | "toReturnWith"
        | "toHaveLastReturnedWith"
        | "toHaveNthReturnedWith"
        | "toHaveResolvedWith"
        | "text"
        | "value"
        | "sameMembers"
        | "toHaveArrayContent"
        | "toMatchNamedExports" => Equal(Value),
        "toStrictEqual" | "deepStrictEqual" | "strictEqual" => Equal(Structure),
        "toBeNull" => Fixed("null"),
        "toBeUndefined" => Fixed("undefined"),
        "toBeNaN" => Fixed("NaN"),
        "toBeTrue" => Fixed("true"),
        "toBeFalse" => Fixed("false"),
        "toBeDefined" => Present("undefined"),
        "toBeNullish" | "toBeNil" => Fixed("null"),
        "toBeTruthy" | "ok" => Truthy,
        "toBeFalsy" => Falsy,
        "exist" | "toExist" => Present("null"),
        "toBeInTheDocument"
        | "toBeVisible"
        | "toBeAttached"
        | "toBeInViewport"
        | "toBeEnabled"
        | "toBeDisabled"
        | "toBeChecked"
        | "toBeEmpty"
        | "toBeEmptyDOMElement"
        | "toBeFocused"
        | "toHaveFocus"
        | "toBeRequired"
        | "toBeValid"
        | "toBeInvalid"
        | "toBeEditable"
        | "toBeHidden"
        | "toBeSelected"
        | "toHaveResolved"
        | "toHaveReturned"
        | "toHaveReturnedTimes"
        | "toHaveResolvedTimes"
        | "toBeOK" => Has(NotNull),
        "toContain"
        | "toContainEqual"
        | "toMatch"
        | "toMatchObject"
        | "toHaveTextContent"
        | "toContainText"
        | "include"
        | "includes"
        | "contain"
        | "contains"
        | "string"
        | "match"
        | "matches"
        | "oneOf"
        | "toBeOneOf"
        | "satisfy"
        | "satisfies"
        | "toSatisfy"
        | "toContainHTML"
        | "toContainElement"
        | "toHaveClass"
        | "toHaveStyle"
        | "toContainEqualItem"
        | "toStartWith"
        | "toEndWith"
        | "toInclude"
        | "toIncludeAllMembers"
        | "startWith"
        | "endWith"
        | "containEql"
        | "matchAny"
        | "matchEach"
        | "toHaveAccessibleName"
        | "toHaveAccessibleDescription"
        | "containSubset"
        | "deepInclude" => Has(Pattern),
        "a" | "an" | "instanceof" | "instanceOf" | "toBeInstanceOf" | "toBeTypeOf" | "toBeA" | "toBeAn"
        | "keys" | "key" | "respondTo" | "respondsTo" | "toBeArrayOfSize" | "type" | "toContainKey"
        | "toContainKeys" | "toContainAllKeys" | "toHaveKeys" => Has(Shape),
        "toHaveLength" | "lengthOf" | "length" | "toHaveSize" => Length,
        "toHaveProperty" | "property" | "ownProperty" | "haveOwnProperty" | "deepProperty"
        | "toHaveAttribute" | "attribute" | "toHaveCSS" | "toHaveJSProperty" | "header" | "attr" | "css"
        | "prop" => Property,
        "toBeGreaterThan" | "above" | "gt" | "greaterThan" => Bound(Side::Above, false),
        "toBeGreaterThanOrEqual" | "least" | "gte" | "greaterThanOrEqual" | "aboveOrEqual" => {
            Bound(Side::Above, true)
        }
        "toBeLessThan" | "below" | "lt" | "lessThan" => Bound(Side::Below, false),
        "toBeLessThanOrEqual" | "most" | "lte" | "lessThanOrEqual" | "belowOrEqual" => {
            Bound(Side::Below, true)
        }
        "within" | "toBeWithin" | "toBeBetween" => Within,
        "toBeCloseTo" => Digits,
        "closeTo" | "approximately" => Distance,
        "toThrow" | "toThrowError" | "throw" | "throws" | "Throw" | "rejectedWith" | "rejected"
        | "toThrowWithMessage" | "rejectWith" => Throws,
        "toHaveBeenCalledWith"
        | "toBeCalledWith"
        | "toHaveBeenLastCalledWith"
        | "lastCalledWith"
        | "toHaveBeenNthCalledWith"
        | "nthCalledWith"
        | "toHaveBeenCalledExactlyOnceWith"
        | "calledWith"
        | "toHaveBeenCalledOnceWith"
        | "calledOnceWith"
        | "calledWithExactly"
        | "calledOnceWithExactly"
        | "calledWithMatch"
        | "calledOn"
        | "toLastReturnWith" => CalledWith,
        "toHaveBeenCalledTimes"
        | "toBeCalledTimes"
        | "toHaveBeenCalledOnce"
        | "callCount"
        | "calledOnce"
        | "toHaveBeenCalledBefore"
        | "toHaveBeenCalledAfter"
        | "toHaveBeenCalledOnceTime" => Called(Shape),
        "toHaveBeenCalled" | "toBeCalled" | "called" => Called(Strength::Truthy),
        "toMatchSnapshot"
        | "toMatchFileSnapshot"
        | "toHaveScreenshot"
        | "toMatchImageSnapshot"
        | "matchSnapshot"
        | "toMatchAriaSnapshot" => Snapshot,
        "toMatchInlineSnapshot" => InlineSnapshot,
        "toThrowErrorMatchingSnapshot" | "toThrowErrorMatchingInlineSnapshot" => ThrowsSnapshot,
        _ => return member(name),
    })
}

/// A matcher that is only named: `to.be.true`, `to.exist`.
pub fn member(name: &str) -> Option<Matcher> {
    use Matcher::*;
    Some(match name {
        "true" | "True" => Fixed("true"),
        "false" | "False" => Fixed("false"),
        "null" | "Null" => Fixed("null"),
        "undefined" | "Undefined" => Fixed("undefined"),
        "NaN" => Fixed("NaN"),
        "empty" => Fixed("empty"),
        "ok" => Truthy,
        "exist" | "exists" | "defined" => Present("null"),
        "throw" | "rejected" => Throws,
        "called" => Called(Strength::Truthy),
        "calledOnce" | "calledTwice" | "calledThrice" => Called(Shape),
        "finite" | "frozen" | "sealed" | "extensible" | "arguments" | "iterable" | "array" | "object"
        | "Array" | "Object" | "String" | "Number" | "Function" | "Boolean" | "Error" | "Date" => Has(Shape),
        "visible" | "checked" | "disabled" | "enabled" | "selected" | "hidden" | "focused" | "fulfilled" => {
            Has(NotNull)
        }
        _ => return None,
    })
}
