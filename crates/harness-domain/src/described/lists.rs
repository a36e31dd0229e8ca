//! Lists of all small inputs of a shape. They are made once for each limit and size.

use crate::{Draft, Family, TestRules};
use harness_shape::{Listed, ListedInput, Options, Shape};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most inputs of one size.
const MOST: usize = 400_000;
/// The most inputs of all sizes up to the one that is always searched.
const MOST_IN_REACH: usize = 20_000;

/// Larger inputs take longer to read than to shrink.
const MOST_SIZE: usize = 12;

/// The smallest inputs that differ in more than numbers and letters, at most this many.
pub(super) fn plainest(shape: &Shape, most: usize, options: &Options) -> Vec<ListedInput> {
    let mut inputs = Vec::new();
    for size in 0..=MOST_SIZE as u64 {
        inputs.extend(shape.list_plain(size, most - inputs.len(), options).inputs);
    }
    inputs
}

/// The lists that were made.
#[derive(Default)]
pub(super) struct Lists {
    made: Mutex<BTreeMap<(ShapeLimits, u64), List>>,
}

type ShapeLimits = Vec<(String, i64)>;

/// The inputs of a size.
#[derive(Clone)]
struct List {
    inputs: Arc<Vec<ListedInput>>,
    /// Whether these are all that are tried.
    is_whole: bool,
    /// Whether there are no others.
    leaves_nothing_out: bool,
}

impl Lists {
    fn list(&self, shape: &Shape, size: usize, most: usize, options: &Options) -> List {
        let key = (options.limits.clone(), size as u64);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match made.get(&key) {
            Some(list) if list.is_whole || list.inputs.len() >= most => list.clone(),
            _ => {
                let Listed { inputs, is_whole, leaves_nothing_out, .. } =
                    shape.list(size as u64, most, options);
                let list = List { inputs: Arc::new(inputs), is_whole, leaves_nothing_out };
                made.insert(key, list.clone());
                list
            }
        }
    }

    /// Whether all inputs of a size can be listed.
    pub(super) fn is_whole(&self, shape: &Shape, size: usize, options: &Options) -> bool {
        self.list(shape, size, MOST, options).is_whole
    }

    /// Whether the list of a size has every input of that size.
    pub(super) fn leaves_nothing_out(&self, shape: &Shape, size: usize, options: &Options) -> bool {
        self.list(shape, size, MOST, options).leaves_nothing_out
    }

    /// The inputs of a size, each with all flags.
    pub(super) fn families(
        &self,
        shape: &Shape,
        size: usize,
        options: &Options,
        rules: &TestRules,
    ) -> Vec<Family> {
        let List { inputs, .. } = self.list(shape, size, MOST, options);
        let flags = rules.flag_combinations();
        let count = inputs.len() * flags.len();
        let make = move |index: usize| {
            let ListedInput { bytes, parameters, .. } = &inputs[index / flags.len()];
            let flags = super::name(&flags[index % flags.len()], parameters);
            Some(Draft { flags, input: bytes.clone() })
        };
        vec![Family { count, make: Box::new(make) }]
    }

    /// The largest size up to which there are few inputs.
    pub(super) fn reach(&self, shape: &Shape, options: &Options) -> usize {
        let mut left = MOST_IN_REACH;
        let fits = |size: &usize| {
            let list = self.list(shape, *size, left, options);
            left = left.saturating_sub(list.inputs.len());
            list.is_whole
        };
        (1..=MOST_SIZE).take_while(fits).last().unwrap_or(1)
    }
}
