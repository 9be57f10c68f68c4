use crate::mem_store::MemTx;
use drawing::Period;
use drawing::rules::{OfficialRules, Rules, RulesHead, RulesStamp};
use kernel::StoreError;
use std::collections::btree_map::Entry;

impl OfficialRules for MemTx {
    fn add_rules(&mut self, rules: &Rules) -> Result<bool, StoreError> {
        match self.0.drawing.rules.entry(rules.head.stamp.version) {
            Entry::Occupied(_) => Ok(false),
            Entry::Vacant(place) => {
                place.insert(rules.clone());
                Ok(true)
            }
        }
    }

    fn newest_rules(&self) -> Result<Option<Rules>, StoreError> {
        Ok(self.0.drawing.rules.values().next_back().cloned())
    }

    fn find_rules(&self, version: u32) -> Result<Option<Rules>, StoreError> {
        Ok(self.0.drawing.rules.get(&version).cloned())
    }

    fn rules_of(&self, period: Period) -> Result<Option<Rules>, StoreError> {
        let mut newest_first = self.0.drawing.rules.values().rev();
        Ok(newest_first.find(|rules| rules.head.from <= period).cloned())
    }

    fn rules_stamp_of(&self, period: Period) -> Result<Option<RulesStamp>, StoreError> {
        Ok(self.rules_of(period)?.map(|rules| rules.head.stamp))
    }

    fn list_rules(&self) -> Result<Vec<RulesHead>, StoreError> {
        let newest_first = self.0.drawing.rules.values().rev();
        Ok(newest_first.map(|rules| rules.head).collect())
    }
}
