//! What callers get of shared queries, and how many there are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, yield_now};

use super::*;

/// A database that answers a question by its double, when it may.
struct Source {
    /// The questions of each query, in the order of their beginning.
    queries: Mutex<Vec<Vec<u64>>>,
    may_end: Semaphore,
}

type Reads = Arc<GatheredReads<u64, u64>>;

/// An outage and a bug are asked for by number.
const OUTAGE: u64 = 1_000;
const REFUSAL: u64 = 1_001;
const PANIC: u64 = 1_002;

fn with(queries: usize, weight: usize) -> (Reads, Arc<Source>) {
    let source = Arc::new(Source {
        queries: Mutex::default(),
        may_end: Semaphore::new(0),
    });
    let asked = source.clone();
    let query = move |questions: Vec<u64>| asked.clone().answer(questions);
    let reads = GatheredReads::new(GatherLimits { queries, weight }, query);
    (Arc::new(reads), source)
}

impl Source {
    async fn answer(self: Arc<Self>, questions: Vec<u64>) -> Result<Vec<u64>, Error> {
        self.queries.lock().unwrap().push(questions.clone());
        self.may_end.acquire().await.unwrap().forget();
        if questions.contains(&OUTAGE) {
            let retry_after = Duration::from_secs(1);
            return Err(Error::Busy { retry_after });
        }
        if questions.contains(&REFUSAL) {
            return Err(Error::IdempotencyMismatch);
        }
        assert!(!questions.contains(&PANIC), "as a bug would");
        Ok(questions.into_iter().map(|number| number * 2).collect())
    }

    fn queries(&self) -> Vec<Vec<u64>> {
        self.queries.lock().unwrap().clone()
    }

    async fn wait_for_queries(&self, count: usize) {
        while self.queries().len() < count {
            yield_now().await;
        }
    }
}

fn ask(reads: &Reads, question: u64) -> JoinHandle<Result<u64, Error>> {
    let reads = reads.clone();
    tokio::spawn(async move { reads.ask(question, 1).await })
}

async fn let_others_run() {
    for _ in 0..200 {
        yield_now().await;
    }
}

async fn is_at_rest(reads: &Reads) -> bool {
    let_others_run().await;
    let queue = reads.inner.lock();
    queue.waiting.is_empty() && queue.running == 0
}

#[tokio::test]
async fn a_lone_question_is_asked_at_once_and_alone() {
    let (reads, source) = with(2, 100);
    source.may_end.add_permits(2);
    for question in [3, 4] {
        assert_eq!(ask(&reads, question).await.unwrap().unwrap(), question * 2);
    }
    assert_eq!(source.queries(), [[3], [4]]);
    assert!(is_at_rest(&reads).await);
}

#[tokio::test]
async fn questions_that_come_while_queries_run_share_the_next_one() {
    let (reads, source) = with(2, 100);
    let mut asked = Vec::new();
    for number in 0..2 {
        asked.push(ask(&reads, number));
        source.wait_for_queries(asked.len()).await;
    }
    asked.extend((2..64).map(|number| ask(&reads, number)));
    let_others_run().await;
    assert_eq!(source.queries().len(), 2, "the others wait");
    source.may_end.add_permits(100);
    for (number, answer) in asked.into_iter().enumerate() {
        assert_eq!(answer.await.unwrap().unwrap(), number as u64 * 2);
    }
    let sizes: Vec<usize> = source.queries().iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 1, 62]);
    assert!(is_at_rest(&reads).await);
}

#[tokio::test]
async fn a_query_takes_no_more_than_its_weight_and_one_question_at_least() {
    let (reads, source) = with(1, 10);
    let weighing = |question: u64, weight: usize| {
        let reads = reads.clone();
        tokio::spawn(async move { reads.ask(question, weight).await })
    };
    let mut asked = vec![weighing(0, 1)];
    source.wait_for_queries(1).await;
    for (question, weight) in [(1, 4), (2, 6), (3, 1), (4, 99), (5, 10)] {
        asked.push(weighing(question, weight));
        let_others_run().await;
    }
    source.may_end.add_permits(100);
    for answer in asked {
        answer.await.unwrap().unwrap();
    }
    let expected: [&[u64]; 5] = [&[0], &[1, 2], &[3], &[4], &[5]];
    assert_eq!(source.queries(), expected);
}

/// A query answers with what it sees when it begins.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_written_before_a_question_is_in_its_answer() {
    let written = Arc::new(AtomicU64::new(0));
    let seen = written.clone();
    let limits = GatherLimits {
        queries: 2,
        weight: 8,
    };
    let reads = GatheredReads::new(limits, move |questions: Vec<u64>| {
        let seen = seen.clone();
        async move {
            let value = seen.load(Ordering::SeqCst);
            yield_now().await;
            Ok(vec![value; questions.len()])
        }
    });
    let reads = Arc::new(reads);
    let callers = (0..64).map(|_| {
        let (reads, written) = (reads.clone(), written.clone());
        tokio::spawn(async move {
            for _ in 0..200 {
                let mine = written.fetch_add(1, Ordering::SeqCst) + 1;
                let answer = reads.ask(mine, 1).await.unwrap();
                assert!(answer >= mine, "{mine} was written, {answer} was read");
            }
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.unwrap();
    }
}

#[tokio::test]
async fn an_error_concerns_those_alone_who_share_the_query() {
    let (reads, source) = with(1, 2);
    let first = ask(&reads, 0);
    source.wait_for_queries(1).await;
    let mut asked = Vec::new();
    for question in [REFUSAL, 1, 2] {
        asked.push(ask(&reads, question));
        let_others_run().await;
    }
    source.may_end.add_permits(100);
    assert_eq!(first.await.unwrap().unwrap(), 0);
    let answers = futures_util::future::join_all(asked).await;
    let is_shared = |answer: &Result<u64, Error>| matches!(answer, Err(Error::Shared(error)) if !error.is_outage());
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert!(is_shared(&answers[0]) && is_shared(&answers[1]));
    assert_eq!(*answers[2].as_ref().unwrap(), 4);
    assert!(is_at_rest(&reads).await);
}

#[tokio::test]
async fn an_outage_answers_all_who_wait_and_the_next_caller_asks_again() {
    let (reads, source) = with(1, 100);
    let first = ask(&reads, OUTAGE);
    source.wait_for_queries(1).await;
    let later: Vec<_> = (0..50).map(|number| ask(&reads, number)).collect();
    let_others_run().await;
    source.may_end.add_permits(100);
    for asked in later.into_iter().chain([first]) {
        let error = asked.await.unwrap().unwrap_err();
        assert!(error.is_outage(), "{error:?}");
    }
    assert_eq!(source.queries().len(), 1);
    source.may_end.add_permits(100);
    assert_eq!(ask(&reads, 7).await.unwrap().unwrap(), 14);
}

#[tokio::test]
async fn a_caller_who_leaves_takes_nothing_from_the_others() {
    let (reads, source) = with(1, 100);
    let left = ask(&reads, 0);
    source.wait_for_queries(1).await;
    let (gone, stays) = (ask(&reads, 1), ask(&reads, 2));
    let_others_run().await;
    for leaver in [left, gone] {
        leaver.abort();
        assert!(leaver.await.unwrap_err().is_cancelled());
    }
    source.may_end.add_permits(100);
    assert_eq!(stays.await.unwrap().unwrap(), 4);
    assert_eq!(source.queries(), [[0], [2]], "nobody waits for the other");
    assert!(is_at_rest(&reads).await);
}

#[tokio::test]
async fn a_query_that_panics_holds_nobody_else_up() {
    let (reads, source) = with(1, 1);
    let first = ask(&reads, PANIC);
    source.wait_for_queries(1).await;
    let later = ask(&reads, 5);
    source.may_end.add_permits(100);
    assert!(first.await.unwrap_err().is_panic());
    assert_eq!(later.await.unwrap().unwrap(), 10);
    assert!(is_at_rest(&reads).await);
}
