//! Simplifies functions after bugs are folded: those that return a constant or a parameter, and those with unused parameters.

use super::edit::{Edit, apply, range};
use super::effect::may_have_effect;
use super::fold::constant_block;
use super::names::{Names, mentions};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprCall, ExprMethodCall, File, FnArg, ImplItemFn, ItemFn, ItemImpl, Pat,
    ReceiverKind, ReturnType, Signature, Stmt, TraitBound, Type, TypeReference,
};

/// What replaces the calls of a function.
pub(super) enum Value {
    Constant(bool),
    /// The argument at this index, without the receiver.
    Parameter(usize),
    /// A name that stands for a value.
    Path(String),
    Nothing,
}

/// The functions of the package, by name.
#[derive(Default)]
pub(super) struct Functions {
    /// The functions that only bugs gave something to do, and what replaces their calls.
    pub(super) inlined: HashMap<String, Value>,
    /// The functions that get a mutable reference.
    pub(super) changing: HashSet<String>,
    /// The same, and the functions that have a name in common with one of them.
    pub(super) may_change: HashSet<String>,
    /// All functions.
    pub(super) names: HashSet<String>,
}

impl Functions {
    /// The functions of these files.
    pub(super) fn of(files: &[File], with_bugs: &HashSet<String>) -> Self {
        let functions = functions(files);
        let only = |function: &&Function| {
            is_only(&functions, function) && with_bugs.contains(&function.name())
        };
        let value = |function: &Function| Some((function.name(), function.value()?));
        let inlined = functions.iter().filter(only).filter_map(value).collect();
        let (changing, others): (Vec<_>, Vec<_>) =
            functions.iter().partition(|function| function.may_change());
        let may_change: HashSet<_> = changing.into_iter().map(Function::name).collect();
        let others: HashSet<_> = others.into_iter().map(Function::name).collect();
        let (changing, names) = (&may_change - &others, &may_change | &others);
        Self { inlined, changing, may_change, names }
    }
}

/// The functions that contain a `bug!`.
pub(super) fn with_bugs(files: &[File], texts: &[String]) -> HashSet<String> {
    let asks =
        |function: &&Function| mentions(&texts[function.file][range(function.body)], "bug") > 0;
    functions(files).iter().filter(asks).map(Function::name).collect()
}

/// Removes the first unused parameter of a function, and its argument in every call. Says whether there was one.
///
/// A reference compiles without warnings, so only a bug read a parameter that is now unused.
pub(super) fn drop_parameter(files: &[File], texts: &mut [&mut String], known: &Functions) -> bool {
    let names = Names::of_all(texts.iter().map(|text| text.as_str()));
    let functions = functions(files);
    for function in functions.iter().filter(|function| is_only(&functions, function)) {
        let body = &texts[function.file][range(function.body)];
        let Some(index) = function.unread(body) else { continue };
        let mut calls =
            Calls { name: function.name(), index, all: Vec::new(), in_file: 0, safe: true, known };
        for (number, file) in files.iter().enumerate() {
            calls.in_file = number;
            calls.visit_file(file);
        }
        if !calls.safe || calls.all.len() != names.uses(&calls.name) {
            continue;
        }
        calls.all.push((function.file, function.parameter(index)));
        for (number, text) in texts.iter_mut().enumerate() {
            let here = calls.all.iter().filter(|(file, _)| *file == number);
            **text = apply(text, here.map(|(_, range)| Edit::new(range.clone(), "")).collect());
        }
        return true;
    }
    false
}

fn is_only(functions: &[Function<'_>], function: &Function<'_>) -> bool {
    let same = |other: &&Function<'_>| other.signature.ident == function.signature.ident;
    !function.of_trait && functions.iter().filter(same).count() == 1
}

fn functions(files: &[File]) -> Vec<Function<'_>> {
    let mut found = Found { functions: Vec::new(), file: 0, in_trait: false };
    for (number, file) in files.iter().enumerate() {
        found.file = number;
        found.visit_file(file);
    }
    found.functions
}

struct Function<'a> {
    file: usize,
    signature: &'a Signature,
    body: &'a Block,
    of_trait: bool,
}

impl Function<'_> {
    fn name(&self) -> String {
        self.signature.ident.to_string()
    }

    /// The names of the parameters without the receiver. A parameter that is a pattern has none.
    fn parameters(&self) -> Vec<Option<String>> {
        let name = |argument: &FnArg| match argument {
            FnArg::Receiver(_) => None,
            FnArg::Typed(typed) => Some(match &*typed.pat {
                Pat::Ident(pattern) => Some(pattern.ident.to_string()),
                _ => None,
            }),
        };
        self.signature.inputs.iter().filter_map(name).collect()
    }

    fn value(&self) -> Option<Value> {
        if let Some(constant) = constant_block(self.body) {
            return Some(Value::Constant(constant));
        }
        match self.body.stmts.as_slice() {
            [] if matches!(self.signature.output, ReturnType::Default) => Some(Value::Nothing),
            [Stmt::Expr(Expr::Path(path), None)] => {
                let name = path.path.get_ident()?.to_string();
                let parameters = self.parameters();
                match parameters.iter().position(|parameter| *parameter == Some(name.clone())) {
                    Some(index) => Some(Value::Parameter(index)),
                    None if parameters.is_empty() && name != "self" => Some(Value::Path(name)),
                    None => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a function gets a mutable reference.
    fn may_change(&self) -> bool {
        let may_change = |argument: &FnArg| match argument {
            FnArg::Receiver(receiver) => match &receiver.kind {
                ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
                ReceiverKind::Typed(_, ty) => is_changeable(ty),
                _ => false,
            },
            FnArg::Typed(typed) => is_changeable(&typed.ty),
        };
        self.signature.inputs.iter().any(may_change)
    }

    /// The first parameter that the body does not read.
    fn unread(&self, body: &str) -> Option<usize> {
        let is_unread = |name: &String| !name.starts_with('_') && mentions(body, name) == 0;
        self.parameters().iter().position(|parameter| parameter.as_ref().is_some_and(is_unread))
    }

    /// The range of the parameter at `index`, with its comma.
    fn parameter(&self, index: usize) -> Range<usize> {
        let index = index + usize::from(self.signature.receiver().is_some());
        listed(&self.signature.inputs.iter().map(range).collect::<Vec<_>>(), index)
    }
}

/// Whether a type is or contains a mutable reference.
fn is_changeable(ty: &Type) -> bool {
    struct Changeable(bool);
    impl<'ast> Visit<'ast> for Changeable {
        fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
            self.0 |= reference.mutability.is_some();
            visit::visit_type_reference(self, reference);
        }

        fn visit_trait_bound(&mut self, bound: &'ast TraitBound) {
            self.0 |= bound.path.segments.iter().any(|segment| segment.ident == "FnMut");
            visit::visit_trait_bound(self, bound);
        }
    }
    let mut changeable = Changeable(false);
    changeable.visit_type(ty);
    changeable.0
}

/// The range of an item of a list, with the comma that separates it from its neighbour.
fn listed(all: &[Range<usize>], index: usize) -> Range<usize> {
    match (all.get(index + 1), index.checked_sub(1)) {
        (Some(next), _) => all[index].start..next.start,
        (None, Some(before)) => all[before].end..all[index].end,
        (None, None) => all[index].clone(),
    }
}

/// Every function and method with a body.
struct Found<'a> {
    functions: Vec<Function<'a>>,
    file: usize,
    in_trait: bool,
}

impl<'a> Visit<'a> for Found<'a> {
    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        let (signature, body) = (&item.sig, &*item.block);
        self.functions.push(Function { file: self.file, signature, body, of_trait: false });
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        self.in_trait = item.trait_.is_some();
        visit::visit_item_impl(self, item);
        self.in_trait = false;
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        let (signature, body, of_trait) = (&item.sig, &item.block, self.in_trait);
        self.functions.push(Function { file: self.file, signature, body, of_trait });
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(body) = &item.default {
            let signature = &item.sig;
            self.functions.push(Function { file: self.file, signature, body, of_trait: true });
        }
    }
}

/// Finds the argument at `index` of every call of a function.
struct Calls<'a> {
    known: &'a Functions,
    name: String,
    index: usize,
    all: Vec<(usize, Range<usize>)>,
    in_file: usize,
    /// Whether all of these arguments can be removed.
    safe: bool,
}

impl Calls<'_> {
    fn add(&mut self, arguments: &syn::punctuated::Punctuated<Expr, syn::Token![,]>) {
        let Some(argument) = arguments.get(self.index) else { return self.safe = false };
        self.safe &= !may_have_effect(argument, self.known);
        let ranges: Vec<_> = arguments.iter().map(range).collect();
        self.all.push((self.in_file, listed(&ranges, self.index)));
    }
}

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = &*call.func
            && function.path.segments.last().is_some_and(|segment| segment.ident == self.name)
        {
            self.add(&call.args);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if call.method == self.name {
            self.add(&call.args);
        }
        visit::visit_expr_method_call(self, call);
    }
}
