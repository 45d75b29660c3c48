//! Questions that gather while others are being answered, and then share a query.
//!
//! A question that finds a query to spare is answered at once and alone. While as many queries run as may run at once,
//! questions wait, and the next query answers all of them, up to a bound. So a crowd costs a few queries that are larger
//! instead of one for each caller, and what a caller gets was read after it asked: gathering makes nothing older.
//!
//! Queries run in tasks of their own, so a caller who leaves takes nothing from the others; a question whose caller has
//! left before its query began is dropped. An error goes to every caller of its query. An outage also ends the questions
//! that wait: a database that does not answer costs a caller one timeout, not one for each query before its own.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

use crate::Error;

const TASK: &str = "gathered reads";

/// Answers questions, each in its place.
type Query<Q, A> = dyn Fn(Vec<Q>) -> BoxFuture<'static, Result<Vec<A>, Error>> + Send + Sync;

/// Questions that may share queries. Holds no more of them than there are callers.
pub(crate) struct GatheredReads<Q, A> {
    inner: Arc<Inner<Q, A>>,
}

/// How far questions gather.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GatherLimits {
    /// Queries at once.
    pub(crate) queries: usize,
    /// The most that the questions of a query may weigh together; a single one may weigh more.
    pub(crate) weight: usize,
}

struct Inner<Q, A> {
    limits: GatherLimits,
    query: Box<Query<Q, A>>,
    queue: Mutex<Queue<Q, A>>,
}

struct Queue<Q, A> {
    /// The oldest first.
    waiting: VecDeque<Waiting<Q, A>>,
    running: usize,
}

struct Waiting<Q, A> {
    question: Q,
    weight: usize,
    reply: Reply<A>,
}

type Reply<A> = oneshot::Sender<Result<A, Arc<Error>>>;

impl<Q: Send + 'static, A: Send + 'static> GatheredReads<Q, A> {
    /// `query` gives as many answers as it gets questions, in their order.
    pub(crate) fn new<F>(
        limits: GatherLimits,
        query: impl Fn(Vec<Q>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Vec<A>, Error>> + Send + 'static,
    {
        let inner = Inner {
            limits,
            query: Box::new(move |questions| query(questions).boxed()),
            queue: Mutex::new(Queue {
                waiting: VecDeque::new(),
                running: 0,
            }),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The answer to this question, read after this call. Must be called within a tokio runtime.
    pub(crate) async fn ask(&self, question: Q, weight: usize) -> Result<A, Error> {
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting {
            question,
            weight,
            reply,
        };
        if self.inner.enqueue(waiting) {
            supervise::spawn_once(TASK, self.inner.clone().answer_all());
        }
        let answer = answer.await;
        // As a query of its own would.
        answer
            .expect("the query of this question panicked")
            .map_err(Error::Shared)
    }
}

impl<Q, A> Inner<Q, A> {
    /// Whether the caller has to begin a query.
    fn enqueue(&self, waiting: Waiting<Q, A>) -> bool {
        let mut queue = self.lock();
        queue.waiting.push_back(waiting);
        let begins = queue.running < self.limits.queries;
        if begins {
            queue.running += 1;
        }
        begins
    }

    /// Answers what waits, query after query, until nothing does.
    async fn answer_all(self: Arc<Self>) {
        while let Some((questions, replies)) = self.next_batch() {
            let query = async { (self.query)(questions).await };
            match supervise::run_once(TASK, query).await {
                Some(Ok(answers)) => {
                    debug_assert_eq!(answers.len(), replies.len());
                    for (reply, answer) in replies.into_iter().zip(answers) {
                        // A caller may have left.
                        let _ = reply.send(Ok(answer));
                    }
                }
                Some(Err(error)) => self.fail(replies, &Arc::new(error)),
                // Each caller panics as well, as with a query of its own.
                None => drop(replies),
            }
        }
    }

    /// The questions of the next query and where their answers go; `None` ends the calling task.
    fn next_batch(&self) -> Option<(Vec<Q>, Vec<Reply<A>>)> {
        let mut queue = self.lock();
        let (mut questions, mut replies) = (Vec::new(), Vec::new());
        let mut weight = 0;
        while let Some(next) = queue.waiting.pop_front() {
            if next.reply.is_closed() {
                continue;
            }
            weight += next.weight;
            if !questions.is_empty() && weight > self.limits.weight {
                queue.waiting.push_front(next);
                break;
            }
            questions.push(next.question);
            replies.push(next.reply);
        }
        if questions.is_empty() {
            queue.running -= 1;
            return None;
        }
        Some((questions, replies))
    }

    fn fail(&self, mut replies: Vec<Reply<A>>, error: &Arc<Error>) {
        if error.is_outage() {
            let waiting = std::mem::take(&mut self.lock().waiting);
            replies.extend(waiting.into_iter().map(|it| it.reply));
        }
        for reply in replies {
            // A caller may have left.
            let _ = reply.send(Err(error.clone()));
        }
    }

    /// No code panics while it holds this lock, so a poisoned queue is consistent.
    fn lock(&self) -> MutexGuard<'_, Queue<Q, A>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q, A> fmt::Debug for GatheredReads<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GatheredReads")
            .field("limits", &self.inner.limits)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
