//! stub
use crate::Key;
/// stub
#[derive(Clone, Debug)]
pub struct BloomGuard<K: Key> {
    k: std::marker::PhantomData<K>,
}
impl<K: Key> BloomGuard<K> {
    pub async fn might_contain(&self, _id: &K) -> bool {
        true
    }
}
