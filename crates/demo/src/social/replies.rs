//! Comments under notes, each with what the author says to it.
//!
//! Invariant: an answer answers its remark, and both fit the kind of shop. A question has at least one answer.

use crate::kinds::ShopKind;

/// A remark under a note.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topic {
    pub(super) remark: &'static str,
    /// What the author may say to it; nothing where no answer is due.
    pub(super) answers: &'static [&'static str],
}

impl Topic {
    pub(super) fn is_question(&self) -> bool {
        self.remark.contains('？')
    }
}

/// What people say under a note about such a shop, by the note's score: an unhappy note gets no applause.
pub(super) fn topics(kind: ShopKind, score: u8) -> impl Iterator<Item = &'static Topic> {
    let (own, shared): (&[Topic], &[Topic]) = match (score, kind.is_food()) {
        (..=3, true) => (FAIR_MEAL, FAIR),
        (..=3, false) => (FAIR_SERVICE, FAIR),
        (_, true) => (of_kind(kind), MEAL),
        (_, false) => (of_kind(kind), SERVICE),
    };
    own.iter().chain(shared)
}

fn of_kind(kind: ShopKind) -> &'static [Topic] {
    match kind {
        ShopKind::Noodles => NOODLES,
        ShopKind::HotPot => HOT_POT,
        ShopKind::HomeCooking => HOME_COOKING,
        ShopKind::DimSum => DIM_SUM,
        ShopKind::Sushi => SUSHI,
        ShopKind::Coffee => COFFEE,
        ShopKind::Cakes => CAKES,
        ShopKind::Skewers => SKEWERS,
        ShopKind::Salad => SALAD,
        ShopKind::Ktv => KTV,
        ShopKind::Hair => HAIR,
        ShopKind::Gym => GYM,
        ShopKind::Massage => MASSAGE,
        ShopKind::Spa => SPA,
        ShopKind::Kids => KIDS,
        ShopKind::Bar => BAR,
        ShopKind::Party => PARTY,
        ShopKind::Nails => NAILS,
    }
}

const fn topic(remark: &'static str, answers: &'static [&'static str]) -> Topic {
    Topic { remark, answers }
}

const MEAL: &[Topic] = &[
    topic(
        "饭点要排队吗？周末想带爸妈去。",
        &[
            "周末十一点半前到基本不用等。",
            "我们等了十来分钟，可以先取号再去逛逛。",
        ],
    ),
    topic(
        "停车方便吗？",
        &[
            "楼下商场有停车场，消费能抵两小时。",
            "路边车位不多，建议坐地铁。",
        ],
    ),
    topic("有没有儿童椅？", &["有的，跟店员说一声就搬来了。"]),
    topic("可以用券吗？", &["可以，店铺页面直接买，结账时出示就行。"]),
    topic("两个人点多少合适？", &["看饭量，我们点了三样刚好吃完。"]),
    topic("看饿了，明天就去。", &["去吧去吧，回来说说感受。"]),
    topic(
        "住在附近，居然一直没发现。",
        &["门头不大，我也是第三次路过才看到。"],
    ),
    topic("上周刚去过，服务员很热情。", &[]),
    topic(
        "图拍得真好，用手机拍的吗？",
        &["手机随手拍的，靠窗光线好。"],
    ),
    topic("已收藏，等发工资。", &["哈哈，其实不贵，随时能去。"]),
];

const SERVICE: &[Topic] = &[
    topic(
        "需要提前多久预约？",
        &["工作日当天约就行，周末最好提前一两天。"],
    ),
    topic(
        "停车方便吗？离地铁远不远？",
        &["地铁口出来走五分钟，楼下也能停车。"],
    ),
    topic(
        "有券吗？大概多少钱？",
        &["店铺页面有券，比到店付便宜一些。"],
    ),
    topic(
        "晚上几点关门？",
        &["关门时间店铺页面写着，最好提前一个小时到。"],
    ),
    topic(
        "卫生怎么样？我比较在意这个。",
        &["挺干净的，用的东西都会换。"],
    ),
    topic("我去过两次，都没有踩雷。", &["看来发挥挺稳定的。"]),
    topic("谢谢认真写这么多，很有帮助。", &["能帮上忙就好。"]),
    topic("收藏了，周末去试试。", &["周末记得先约。"]),
];

const FAIR: &[Topic] = &[
    topic("说得挺客观的，谢谢。", &["尽量说实话，好的和不好的都写。"]),
    topic("那还值得专程去吗？", &["住得近可以试试，专程就不必了。"]),
    topic("我上次去的感受也差不多。", &["看来不是我一个人这么觉得。"]),
    topic(
        "希望店家看到能改进。",
        &["我也当面跟店里说了，他们说会改。"],
    ),
];

const FAIR_MEAL: &[Topic] = &[
    topic("是味道不行还是服务不行？", &["味道还可以，主要是上菜慢。"]),
    topic("是不是赶上饭点了？", &["对，周六晚上，人确实多。"]),
    topic(
        "我去的时候还不错，可能要看点什么。",
        &["有可能，下次换几样试试。"],
    ),
    topic("价格涨了以后就没再去了。", &[]),
];

const FAIR_SERVICE: &[Topic] = &[
    topic(
        "是手艺不行还是等太久？",
        &["主要是等得久，约好的时间晚了半个小时。"],
    ),
    topic("会一直推销办卡吗？", &["提过两次，拒绝以后就没再说。"]),
    topic("我去的时候人少，体验好很多。", &["那下次我也挑个工作日。"]),
    topic("感谢提醒，先观望一下。", &[]),
];

const NOODLES: &[Topic] = &[
    topic("可以免费加面吗？", &["可以，跟师傅说一声就给加。"]),
    topic("浇头是现炒的吗？", &["现炒的，站在窗口能看到。"]),
    topic(
        "早上几点开门？上班前来得及吗？",
        &["七点多就有得吃，出餐快，来得及。"],
    ),
    topic("他家辣油绝了，我每次加两勺。", &["同意，香多过辣。"]),
    topic("汤会不会很咸？", &["我觉得刚好，怕咸可以让师傅少放点。"]),
];

const HOT_POT: &[Topic] = &[
    topic(
        "不能吃辣，有清汤锅吗？",
        &["有的，点鸳鸯锅就行，清汤那边也很鲜。"],
    ),
    topic(
        "晚上八点去还要等位吗？",
        &["八点以后好很多，我们基本直接坐。"],
    ),
    topic("蘸料收费吗？", &["一位几块钱，水果小菜一起，随便拿。"]),
    topic(
        "毛肚是真的脆，一个人能吃两份。",
        &["七上八下，多一秒都不行。"],
    ),
    topic(
        "吃完衣服味道大不大？",
        &["还好，有装外套的袋子，排风也行。"],
    ),
];

const HOME_COOKING: &[Topic] = &[
    topic(
        "口味偏甜吗？家里老人吃不惯太甜的。",
        &["不算甜，点菜时可以说少糖。"],
    ),
    topic(
        "有没有包间？想带爸妈去过生日。",
        &["有小包间，提前一天打电话留。"],
    ),
    topic("三个人点四个菜够不够？", &["够了，份量挺实在。"]),
    topic(
        "时令菜那块黑板我每次都要看半天。",
        &["问老板最省事，他推荐的都不错。"],
    ),
    topic("米饭可以续吗？", &["可以续，木桶饭很香。"]),
];

const DIM_SUM: &[Topic] = &[
    topic(
        "早茶几点收？起不来怎么办？",
        &["下午也有，不过品种会少一些。"],
    ),
    topic("虾饺里的虾是整只的吗？", &["整只的，咬得到虾肉。"]),
    topic("茶位费多少？", &["几块钱一位，可以一直续水。"]),
    topic("带爸妈喝了一上午茶，他们很喜欢。", &["慢慢吃最舒服了。"]),
    topic(
        "小笼包烫不烫？上次被汤汁烫到过。",
        &["先咬个小口把汤吸了，就不会烫。"],
    ),
];

const SUSHI: &[Topic] = &[
    topic(
        "鱼新鲜吗？不敢吃生的能去吗？",
        &["很新鲜，也有很多熟的可以点。"],
    ),
    topic("坐吧台要预约吗？", &["要的，吧台位置少，提前一天约。"]),
    topic(
        "人均大概多少？",
        &["我们两个人吃得很饱，跟店铺页面标的人均差不多。"],
    ),
    topic("午市套餐真的很划算。", &["对，午市去最值。"]),
    topic("师傅会按顺序出吗？", &["会，从淡到浓，一贯一贯上。"]),
];

const COFFEE: &[Topic] = &[
    topic("适合带电脑坐一下午吗？", &["适合，插座多，网也快。"]),
    topic(
        "不喜欢酸的，点什么好？",
        &["跟咖啡师说要深烘的，或者直接点拿铁。"],
    ),
    topic("有燕麦奶可以换吗？", &["有，加几块钱。"]),
    topic("可以带狗狗吗？", &["外面的位置可以，里面不行。"]),
    topic("每天路过都能闻到香味。", &["下午那一炉可颂更香。"]),
];

const CAKES: &[Topic] = &[
    topic("甜度怎么样？怕太腻。", &["不会，甜度很克制，配茶刚好。"]),
    topic(
        "生日蛋糕要提前几天订？",
        &["提前三天，款式可以发图给店里。"],
    ),
    topic("外带会化吗？", &["会放冰袋，半小时内没问题。"]),
    topic("下午去还有货吗？", &["热门的三点以后就没了，早点去。"]),
    topic("被橱窗骗进去的，不后悔。", &["一样，每次都多拿一块。"]),
];

const SKEWERS: &[Topic] = &[
    topic("羊肉串膻不膻？", &["不膻，怕的话多撒点孜然。"]),
    topic(
        "开到几点？下夜班还能吃到吗？",
        &["我一点多走的时候还坐满了人。"],
    ),
    topic("里面呛不呛？", &["排烟还行，坐外面更舒服。"]),
    topic("烤茄子是隐藏款，一定要点。", &["对，蒜蓉铺了满满一层。"]),
    topic("四个人点多少串够？", &["我们点了四十串加两个菜，刚好。"]),
];

const SALAD: &[Topic] = &[
    topic("真的能吃饱吗？", &["能，份量比看起来大，一下午不饿。"]),
    topic("酱是单独放的吗？", &["单独放的，自己控制量。"]),
    topic("可以换主食吗？不想吃藜麦。", &["可以换糙米或者荞麦面。"]),
    topic("中午取餐要等多久？", &["提前下单，到店十分钟内能拿。"]),
    topic(
        "健身三个月，全靠这家续命。",
        &["同款，热量标得清楚很方便。"],
    ),
];

const KTV: &[Topic] = &[
    topic(
        "六个人订小包还是中包？",
        &["中包舒服点，小包坐四个人刚好。"],
    ),
    topic("可以自带零食和水吗？", &["可以带，不过里面的小吃也不贵。"]),
    topic("新歌多吗？", &["挺全的，上周的新歌都点到了。"]),
    topic("包厢有没有烟味？", &["没有，进去之前会通风。"]),
    topic("下次唱歌叫上我！", &["没问题，记得练好拿手的那首。"]),
    topic(
        "下午场真的便宜，三个小时随便唱。",
        &["对，周末下午要早点订。"],
    ),
];

const HAIR: &[Topic] = &[
    topic(
        "是哪位师傅剪的？求推荐。",
        &["店长剪的，预约的时候可以点名。"],
    ),
    topic("会一直推销办卡吗？", &["没有，问了一次就没再提。"]),
    topic("烫染要多久？", &["差不多三个小时，留半天比较从容。"]),
    topic(
        "发质细软能做这个吗？",
        &["我也是细软发，师傅说可以，会换温和的药水。"],
    ),
    topic("这个发色好看，显白。", &["日光下更明显，掉色也不突兀。"]),
    topic(
        "剪完第二天自己能打理吗？",
        &["能，师傅教了怎么吹，五分钟搞定。"],
    ),
];

const GYM: &[Topic] = &[
    topic("新手能跟上课吗？", &["能，教练会给降阶动作。"]),
    topic("可以单次付费吗？不想办年卡。", &["可以，按次买就行。"]),
    topic("晚上人多不多？", &["七点最挤，八点半以后就空了。"]),
    topic("有淋浴和储物柜吗？", &["都有，锁要自己带或者前台借。"]),
    topic(
        "教练真的会纠正动作，这点很难得。",
        &["对，不会站在旁边数数。"],
    ),
    topic("坚持多久开始有变化？", &["我是六周左右，体能先上来的。"]),
];

const MASSAGE: &[Topic] = &[
    topic("力道重不重？我怕疼。", &["可以随时说，师傅会一直问。"]),
    topic(
        "久坐腰不舒服，做哪个项目好？",
        &["我做的是肩颈加腰背，一个小时。"],
    ),
    topic(
        "几号师傅？下次想点同一位。",
        &["预约的时候问前台，会按手法推荐。"],
    ),
    topic("带爸妈去合适吗？", &["合适，跟师傅说轻一点，他们很细心。"]),
    topic("我按到一半睡着了。", &["一样，醒来整个人都松了。"]),
    topic("时间给得足吗？", &["足的，说六十分钟就是六十分钟。"]),
];

const SPA: &[Topic] = &[
    topic("敏感肌可以做吗？", &["可以，会先测皮肤，再换舒缓的产品。"]),
    topic("做完当天能化妆吗？", &["美容师建议第二天再化。"]),
    topic("产品是当面拆的吗？", &["当面拆，成分也会讲。"]),
    topic("两个人可以一间吗？", &["有双人间，要提前约。"]),
    topic(
        "香味真的好闻，出来还想再待一会儿。",
        &["结束可以喝杯花茶慢慢坐。"],
    ),
    topic(
        "多久做一次比较好？",
        &["我是一个月一次，换季会多做一次补水。"],
    ),
];

const KIDS: &[Topic] = &[
    topic("两岁的宝宝能玩吗？", &["能，有单独的小小孩区。"]),
    topic("大人要买票吗？", &["一大一小是一张票，多一个大人再补。"]),
    topic("要带袜子吗？", &["要，忘了可以在前台买。"]),
    topic(
        "周末人多不多？怕被大孩子撞到。",
        &["上午人少，而且大小孩是分开的。"],
    ),
    topic("我家娃上次玩到不肯走。", &["我家也是，车上就睡着了。"]),
    topic("里面可以吃东西吗？", &["有休息区可以吃，场地里不行。"]),
];

const BAR: &[Topic] = &[
    topic("不会喝酒能去吗？", &["能，无酒精的特调也很好喝。"]),
    topic("几点有驻唱？", &["九点开始，唱到十一点左右。"]),
    topic("一个人去尴尬吗？", &["不会，坐吧台就行，调酒师很会聊。"]),
    topic("周五晚上需要订位吗？", &["要的，周五八点以后基本满了。"]),
    topic("他家的酸系特调很稳。", &["对，酸甜平衡得很好。"]),
    topic("有低消吗？", &["吧台没有，卡座周末有。"]),
];

const PARTY: &[Topic] = &[
    topic("十五个人待得下吗？", &["待得下，三层楼，分开玩不挤。"]),
    topic("可以自己做饭吗？", &["可以，厨房锅碗都有，食材自己带。"]),
    topic("能过夜吗？", &["有通宵场，楼上有几张床。"]),
    topic("布置要自己弄吗？", &["可以交给管家，提前说好主题就行。"]),
    topic(
        "我们部门上个月也在这里团建的。",
        &["难怪，管家说他们接了很多公司。"],
    ),
    topic("麻将和桌游要另外收费吗？", &["不用，都包含在场地费里。"]),
];

const NAILS: &[Topic] = &[
    topic("能撑多久不起翘？", &["我三周了还好好的。"]),
    topic(
        "这个款式多少钱？",
        &["纯色便宜一些，手绘按个数加，做之前会报价。"],
    ),
    topic("本甲很薄能做吗？", &["可以先做加固，美甲师会看情况建议。"]),
    topic("要做多久？", &["两个小时左右，卸甲另外二十分钟。"]),
    topic("显白！求色号。", &["把图给美甲师看就行，她会调。"]),
    topic("接睫毛会掉很多吗？", &["正常掉，三周补一次就行。"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::SEQUENCE;

    #[test]
    fn every_question_has_an_answer_and_no_remark_comes_twice_for_a_kind() {
        for kind in SEQUENCE {
            for score in [2, 5] {
                let all: Vec<_> = topics(kind, score).collect();
                assert!(all.len() >= 8, "{kind:?}");
                let unanswered = all.iter().find(|t| t.is_question() && t.answers.is_empty());
                assert!(unanswered.is_none(), "{unanswered:?}");
                let mut remarks: Vec<_> = all.iter().map(|t| t.remark).collect();
                remarks.sort_unstable();
                remarks.dedup();
                assert_eq!(remarks.len(), all.len(), "{kind:?}");
            }
        }
    }
}
