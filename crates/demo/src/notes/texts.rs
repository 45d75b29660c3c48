//! How titles and bodies of notes are put together: sentences of the shop's kind, framed by
//! sentences about the occasion, the place and the verdict.
//!
//! Invariant: within one note no sentence comes twice, and the verdict fits the score.

use super::{food, leisure};
use crate::kinds::ShopKind;
use crate::random::Random;

/// What a note is about.
#[derive(Debug)]
pub(super) struct NoteSubject<'a> {
    pub(super) kind: ShopKind,
    pub(super) area: &'static str,
    pub(super) brand: &'a str,
    pub(super) score: u8,
}

/// The words of one kind of shop. `{a}` and `{b}` stand for two different things it offers.
#[derive(Debug)]
pub(super) struct Phrases {
    pub(super) items: &'static [&'static str],
    pub(super) titles: &'static [&'static str],
    pub(super) sentences: &'static [&'static str],
}

pub(super) fn title(subject: &NoteSubject<'_>, random: &mut Random) -> String {
    let template = match subject.score {
        GOOD.. if random.chance(65) => random.pick(phrases(subject.kind).titles),
        GOOD.. => random.pick(GOOD_TITLES),
        _ => random.pick(FAIR_TITLES),
    };
    fill(template, subject, random)
}

/// Two to six sentences.
pub(super) fn content(subject: &NoteSubject<'_>, random: &mut Random) -> String {
    let sentences = phrases(subject.kind).sentences;
    let mut templates = Vec::with_capacity(6);
    if random.chance(60) {
        templates.push(pick_of(OPENERS, special(subject.kind).openers, random));
    }
    let count = random.between(1, 3);
    let own = random.distinct(count, sentences.len() as u32);
    templates.extend(own.map(|at| sentences[at as usize]));
    if random.chance(55) {
        templates.push(pick_of(AROUND, special(subject.kind).around, random));
    }
    templates.push(verdict(subject.score, random));
    templates
        .into_iter()
        .map(|t| fill(t, subject, random))
        .collect()
}

/// One of both, each as likely as any other.
fn pick_of(
    general: &[&'static str],
    special: &[&'static str],
    random: &mut Random,
) -> &'static str {
    let drawn = random.below((general.len() + special.len()) as u32) as usize;
    general
        .get(drawn)
        .copied()
        .unwrap_or_else(|| special[drawn - general.len()])
}

/// Up to three things, by somebody who liked it; the first of a kind are liked most.
pub(super) fn recommended(subject: &NoteSubject<'_>, random: &mut Random) -> Vec<&'static str> {
    if subject.score < GOOD {
        return Vec::new();
    }
    let items = phrases(subject.kind).items;
    let among = random.between(3, items.len() as u32);
    let count = random.between(0, 3);
    let chosen = random.distinct(count, among);
    chosen.map(|at| items[at as usize]).collect()
}

const GOOD: u8 = 4;

fn verdict(score: u8, random: &mut Random) -> &'static str {
    match score {
        GOOD.. => random.pick(GOOD_VERDICTS),
        _ => random.pick(FAIR_VERDICTS),
    }
}

fn fill(template: &str, subject: &NoteSubject<'_>, random: &mut Random) -> String {
    let items = phrases(subject.kind).items;
    let mut drawn = random.distinct(2, items.len() as u32);
    let mut item = || items[drawn.next().expect("every kind offers two things or more") as usize];
    template
        .replace("{a}", item())
        .replace("{b}", item())
        .replace("{area}", subject.area)
        .replace("{shop}", subject.brand)
        .replace("{who}", random.pick(COMPANY))
        .replace("{when}", random.pick(OCCASIONS))
}

/// What is said around places to sit and eat, or around all others.
struct Special {
    openers: &'static [&'static str],
    around: &'static [&'static str],
}

fn special(kind: ShopKind) -> &'static Special {
    if kind.is_food() {
        &AT_TABLE
    } else {
        &BY_APPOINTMENT
    }
}

static AT_TABLE: Special = Special {
    openers: &[
        "本来只是路过{area}，看到里面坐得满满当当就进来了。",
        "{when}临时起意，没有预约，等了十来分钟就有位置。",
        "提前一天订的位置，{when}到店直接入座。",
        "拿着券来的，事先没抱太大期待。",
    ],
    around: &[
        "桌子之间隔得开，说话不用扯着嗓子。",
        "门口有几把椅子，等位的时候会端来热茶。",
        "靠窗的位置最好，下午有阳光照进来。",
        "结账的时候还送了一小碟水果。",
        "上菜的顺序有讲究，不会一下子堆满桌。",
    ],
};

static BY_APPOINTMENT: Special = Special {
    openers: &[
        "提前一天约的，{when}到店没有等。",
        "{when}临时起意，打电话问了一下正好有空档。",
        "在店铺页面买了券，{when}过来体验。",
        "{who}有次卡，{when}带我一起来。",
    ],
    around: &[
        "进门先倒一杯温水，坐着等也不无聊。",
        "前台会把流程讲清楚，第一次来也不慌。",
        "有储物柜，包和外套都能锁起来。",
        "到时间会轻声提醒，不会催。",
        "结束以后还会发消息问感受。",
    ],
};

fn phrases(kind: ShopKind) -> &'static Phrases {
    match kind {
        ShopKind::Noodles => &food::NOODLES,
        ShopKind::HotPot => &food::HOT_POT,
        ShopKind::HomeCooking => &food::HOME_COOKING,
        ShopKind::DimSum => &food::DIM_SUM,
        ShopKind::Sushi => &food::SUSHI,
        ShopKind::Coffee => &food::COFFEE,
        ShopKind::Cakes => &food::CAKES,
        ShopKind::Skewers => &food::SKEWERS,
        ShopKind::Salad => &food::SALAD,
        ShopKind::Ktv => &leisure::KTV,
        ShopKind::Hair => &leisure::HAIR,
        ShopKind::Gym => &leisure::GYM,
        ShopKind::Massage => &leisure::MASSAGE,
        ShopKind::Spa => &leisure::SPA,
        ShopKind::Kids => &leisure::KIDS,
        ShopKind::Bar => &leisure::BAR,
        ShopKind::Party => &leisure::PARTY,
        ShopKind::Nails => &leisure::NAILS,
    }
}

const COMPANY: &[&str] = &[
    "同事",
    "闺蜜",
    "室友",
    "爸妈",
    "老同学",
    "对象",
    "表妹",
    "邻居",
    "大学室友",
    "发小",
    "搭子",
    "朋友",
];

const OCCASIONS: &[&str] = &[
    "周六下午",
    "下班以后",
    "周五晚上",
    "下雨天",
    "放假第一天",
    "周日中午",
    "加完班",
    "降温那天",
    "发工资这天",
    "生日前一天",
    "工作日傍晚",
    "周末一早",
];

const GOOD_TITLES: &[&str] = &[
    "{area}这家{shop}，值得绕路",
    "{when}的快乐是{shop}给的",
    "在{area}住了三年，才发现{shop}",
    "和{who}一起打卡{shop}",
    "第三次来{shop}了，说说真话",
    "{shop}：小店不大，用心不少",
    "想让更多人知道的{shop}",
    "{area}附近的人有福了",
    "被{who}拉来的，结果我先爱上了",
    "收藏半年，终于来了{shop}",
    "{when}去{shop}，刚刚好",
    "{area}探店第七站",
];

const FAIR_TITLES: &[&str] = &[
    "{shop}：有亮点，也有小遗憾",
    "{area}的{shop}，中规中矩",
    "说点实话：{shop}值不值得去",
    "{when}去了趟{shop}，感受一般",
    "{shop}还有进步空间",
    "期待有点高的{shop}",
    "第二次去{shop}，没有第一次惊喜",
    "{shop}：适合路过，不必专程",
    "和{who}去了{shop}，意见不一",
    "冲着名气去的{shop}",
];

const OPENERS: &[&str] = &[
    "{when}和{who}约在{area}，走到门口就被灯光吸引了。",
    "{who}念叨这家店很久了，{when}终于一起过来。",
    "住在{area}附近，这家店几乎每个月都要来一次。",
    "刷到好几次推荐，{when}专程坐地铁过来。",
    "第一次来是{who}带的，这次换我带别人来。",
    "店面藏在{area}的一条小路里，导航到了还要再拐个弯。",
    "新店开业那会儿来过一次，隔了几个月再来，水准还在。",
    "{when}来的，人不算多，老板还有空聊两句。",
    "原本约的另一家关门了，转头进了{shop}，意外之喜。",
    "从{area}地铁口出来走五分钟，很好找。",
    "搬来{area}以后一直想找一家能常去的店，这家算是了。",
    "{who}过生日，大家投票选了这里。",
    "连着下了几天雨，{when}总算放晴，出门走走就到了这里。",
    "不赶时间的话，真的可以在这里待一个下午。",
    "{when}路上堵了半小时，坐下来的那一刻觉得值了。",
    "每次路过都看到里面很热闹，这回没忍住。",
    "开门没多久就到了，算是当天第一批客人。",
    "这条街上开开关关好多家，{shop}一直都在。",
    "{who}从外地来玩，我第一个想到的就是这里。",
    "前后来过四五次，终于有空认真写一篇。",
];

const AROUND: &[&str] = &[
    "服务员记得住熟客的习惯，这点很加分。",
    "洗手间很干净，看得出管理用心。",
    "店里放的歌不吵，音量刚好。",
    "楼下就有停车场，消费可以抵两个小时。",
    "从{area}骑车过来十分钟，沿路风景也不错。",
    "墙上挂着客人的照片，很有人情味。",
    "工作日人少，周末建议提前约。",
    "买了券再来划算不少，核销也很快。",
    "老板是个话不多的人，但做事很细。",
    "收银台旁边可以充电，小细节挺周到。",
    "灯光偏暖，拍照几乎不用修。",
    "空调开得有点足，怕冷的带件外套。",
    "店里养了一只橘猫，很亲人。",
    "里里外外擦得锃亮，心里踏实。",
    "招牌不大，晚上亮起来很好看。",
    "{who}说下次还要来，我也这么想。",
];

const GOOD_VERDICTS: &[&str] = &[
    "总的来说值得专门跑一趟。",
    "下次换个季节再来。",
    "已经把它加进常去的名单了。",
    "这个价格能有这样的体验，很满足。",
    "推荐给住在{area}附近的朋友。",
    "希望它一直开下去。",
    "写到这里又想去了。",
    "适合两三个人慢慢待着。",
    "不是那种惊天动地的好，是让人安心的好。",
    "挑不出什么毛病。",
    "回家路上就约好了下一次。",
    "有朋友来我还会带到这里。",
    "真心希望别涨价。",
    "{when}来最舒服，信我。",
    "优点不止这些，剩下的自己去发现吧。",
    "一句话：去就对了。",
    "带{who}来也不会丢面子。",
    "在{area}能排进我心里的前三。",
];

const FAIR_VERDICTS: &[&str] = &[
    "整体中等偏上，路过可以试试。",
    "没有传说中那么神，但也不踩雷。",
    "如果等位能快一点，我会多给一颗星。",
    "价格再低一点就完美了。",
    "期待下次来有改进。",
    "也许是那天人太多，下次换个时间再看看。",
    "有些细节还要打磨，底子是好的。",
    "适合住得近的，专程来就不必了。",
];
