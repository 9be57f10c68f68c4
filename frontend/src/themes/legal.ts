import type { LegalDocument } from './types';

export const contactEmail = 'hello@tombola.example';

export const terms: LegalDocument = {
  title: 'Official rules',
  intro:
    'These are the terms and conditions of the Tombola monthly raffles. No purchase is necessary to enter or win. A free entry counts exactly as much as a bought one.',
  sections: [
    {
      heading: 'Sponsor',
      paragraphs: [
        'The raffles are run by Tombola (“we”). You can reach us through the contact page. No phone maker, phone company, mail service or social network sponsors or runs them.',
      ],
    },
    {
      heading: 'Who can enter',
      paragraphs: [
        'You can enter if you live in the United States and are at least 18 years old on the day you enter. The raffles are void where the law prohibits them.',
        'People who work for Tombola, and those who live with them, cannot enter.',
      ],
    },
    {
      heading: 'How to enter free',
      paragraphs: [
        'Open the page of a raffle on this site, type your phone number and press “Enter Free Raffle Now”. That is one entry. It costs nothing beyond what your own phone or internet plan charges.',
        'Agreeing to get texts about future raffles is a separate choice. You can enter without it, and it does not change your chances.',
      ],
    },
    {
      heading: 'One sign-up per phone number',
      paragraphs: [
        'A phone number can sign up once, in one of the four raffles. If you sign up again, on the same page or another, you stay in the first raffle with the entries you have. Use a number that is yours.',
      ],
    },
    {
      heading: 'More entries',
      paragraphs: [
        'After entering you get a referral link. Each person who enters for the first time through it gives you one more entry, free, without a limit on the number. That person gets the same one entry as anyone else.',
        'At times we may offer packages of bonus entries for sale. Buying is never required. A bought entry has the same chance in the drawing as a free one. More entries mean more chances, whichever way you got them.',
      ],
    },
    {
      heading: 'Entry period and drawing',
      paragraphs: [
        'Each raffle is drawn monthly, on the 1st, in the time zone of New York (America/New_York). The period for a drawing ends when the month before it ends, at 11:59 p.m. in that time zone.',
        'Your entries stay in the same raffle for the drawings of later months until you ask us to remove them. You do not need to sign up again.',
      ],
    },
    {
      heading: 'How a winner is drawn',
      id: 'drawing',
      paragraphs: [
        'Every entry in a raffle gets a number. A computer picks one of the numbers at random, each with the same probability, and the person who holds it wins. A drawing cannot be repeated or undone because someone does not like its result.',
        'Anybody can check a drawing. Before it, we publish the hash of a random seed, so that nobody can exchange the seed later. At the drawing, the list of everybody who is in is frozen and one hash over the whole list is published. Then the seed is revealed. Seed and list together say which entry wins, and no other entry can. The page “Past drawings”, which the foot of every page leads to, shows all of this, recomputes it in your browser, and says what such a proof cannot show.',
      ],
    },
    {
      heading: 'Odds',
      paragraphs: [
        'Your odds of winning are the number of entries you hold divided by the number of all eligible entries in your raffle at the time of the drawing. They depend on how many people take part.',
      ],
    },
    {
      heading: 'Prizes',
      paragraphs: [
        'There is one prize per raffle and month. Each is worth at least $150 at retail. The page of each raffle lists what the kit includes and what each item is worth.',
      ],
      list: [
        'Garden Bag Essentials: a canvas bag of garden tools and seeds, $150+',
        'Fresh Sips Mixology Kit: bar tools, glasses and cordials without alcohol, $150+',
        'Kitchen Garden Essentials: pots, plants, soil and tools for a sill, $150+',
        'Sustainable Living Starter Kit: reusable household goods, $150+',
      ],
    },
    {
      heading: 'Packages drawn once a year',
      id: 'packages',
      paragraphs: [
        'The pages that the links in our texts lead to show a larger package for each raffle: what it holds, what each part is worth, and the day of the year on which it is drawn. It is drawn the same way, with the entries that people have in that raffle on that day. Nobody has to enter for it separately, and having got a text does not change your chances.',
      ],
    },
    {
      heading: 'How winners hear from us',
      paragraphs: [
        'We send the winner a text at the number they entered with and ask for a shipping address in the United States. Shipping is free. We never ask a winner for money or card details.',
        'If you have replied STOP to our texts, we cannot text you, not even about a prize. Reply START to hear from us again, or write to us through the contact page.',
        'If a winner does not answer within 14 days, turns the prize down, or was not eligible, we draw a new winner from the remaining entries.',
      ],
    },
    {
      heading: 'What the prize is and is not',
      paragraphs: [
        'The prize cannot be exchanged for cash or passed on to someone else before it is sent. If an item is not available, we replace it with one of the same or greater value.',
      ],
    },
    {
      heading: 'Taxes',
      paragraphs: ['The winner pays any federal, state or local tax due on the prize.'],
    },
    {
      heading: 'Disqualification',
      paragraphs: [
        'We flag sign-ups that look like an attempt to get around these rules, such as many sign-ups from one internet address, numbers that are not the person’s own, or entries made by software. Flagged sign-ups can still use the site but cannot win.',
        'If you think yours was flagged by mistake, write to us through the contact page and a person will look at it.',
      ],
    },
    {
      heading: 'If something goes wrong',
      paragraphs: [
        'If a fault, fraud or something outside our control makes a fair drawing impossible, we may postpone or cancel it. In that case we say so on this site, and your entries count for the next drawing.',
        'By entering you accept these rules and agree that we are not liable for harm from taking part or from using the prize, as far as the law allows. Nothing here takes away rights the law gives you.',
      ],
    },
    {
      heading: 'Your data and the winners list',
      paragraphs: [
        'The privacy policy says what we store and publish, and why. The page “Past drawings” lists the winners: the raffle, the date and the last four digits of the phone number. We also tell you if you write to us through the contact page within three months of the drawing.',
      ],
    },
  ],
};

export const privacy: LegalDocument = {
  title: 'Privacy policy',
  intro:
    'What we keep when you visit and enter, what it is for, and how to have it removed. We do not sell your data.',
  sections: [
    {
      heading: 'What we store',
      paragraphs: ['When you enter a raffle, we store:'],
      list: [
        'your phone number, the raffle you entered and the time',
        'your entries and where each came from: sign-up, a friend, or a purchase',
        'your referral code, and who entered through it',
        'the internet address you entered from, your browser’s user agent (its name and version), and its fingerprint (see below)',
        'what you agreed to, in which wording, and when',
      ],
    },
    {
      heading: 'What we count when you visit',
      paragraphs: [
        'We count visits ourselves, on our own server, to see which pages and links work and to find sign-ups that are not honest. No analytics company takes part. Of a visit we store:',
      ],
      list: [
        'the pages you saw, when, for how long they were on your screen, and the referral code in the link you followed',
        'whether you began the form, sent it, entered, pressed a button to share, or began or finished a purchase',
        'a random session number, which a tab of your browser keeps until you close it',
        'your internet address and user agent, and the kind of device and browser that the user agent names',
        'a fingerprint: one number worked out from what browsers tell every site (user agent, languages, size and colours of the screen, time zone, number of processor cores). Nothing is drawn or measured in secret to make it more exact, and other people’s browsers can have the same',
      ],
    },
    {
      heading: 'Asking not to be counted',
      paragraphs: [
        'If your browser sends Global Privacy Control or Do Not Track, nothing of the list above is sent or stored, and no session number or fingerprint is made; nor is it reported that you opened the link of a text, so that its page cannot say whether you are in. Everything else on this site works the same. Software that visits by itself and our own staff pages are not counted either.',
      ],
    },
    {
      heading: 'Ads',
      id: 'ads',
      paragraphs: [
        'If we advertise, we may use Meta’s pixel to learn whether an ad brought anybody. It is loaded only if we have set it up and you accepted it in this browser. Until then nothing of it is loaded and nothing is sent to Meta.',
        'If you accept, Meta learns that somebody in your browser saw a page here or the packages on it, opened the link of a text, entered, shared, or bought entries; the last three with a random number for that report. It does not learn what you bought or what you paid. It also gets what any site gets that your browser talks to, such as your internet address and Meta’s own cookies, so it may know that it is you.',
        'Meta’s script runs in a closed frame. From there it cannot read this page: not your phone number, not the page’s address with a referral code or the number of your entry in it, and none of our cookies. Pages about rules and privacy never load it.',
        'Global Privacy Control and Do Not Track count as a no, and we do not ask. You can change your answer here at any time; what Meta learned before stays with Meta.',
      ],
      asksAboutAds: true,
    },
    {
      heading: 'What it is for',
      paragraphs: [
        'The phone number is how we keep it to one sign-up per person and how we reach a winner. The internet address, the user agent and the fingerprint help us find people who sign up many times. The session number joins the pages of one visit, and the visit with the sign-up that came of it, so that we see where people give up. Consents are kept so that we can prove what you agreed to and what you did not.',
      ],
    },
    {
      heading: 'Texts',
      paragraphs: [
        'After you enter, we may send one text that confirms it with your referral link. If you win, we send a victory text. Texts about later raffles are sent only if you ticked the box for them, at most 1 text per month.',
        'Each text about a raffle has a link of its own. When you open it, we store that it was opened and when, and whether you went on to the raffle, to see which texts are of use. The link also tells us whether the number that got the text is in a raffle, so that the page can say so; it shows neither the number nor a name.',
        'Of every text we store the number, the wording, when it was sent, and what the phone company reports of its delivery.',
        'Reply STOP to any text to end all of them, HELP for help, START to begin again. Message and data rates of your plan may apply.',
      ],
    },
    {
      heading: 'Who sees your phone number',
      paragraphs: [
        'On the device you entered with, your own page shows your number and the numbers of friends who entered through your link. Anywhere else, only the last four digits are shown. If you enter through a friend’s link, that friend can see the number you entered with.',
        'Our staff see it when they look after the raffles. The company that delivers our texts gets the number and the text, for that purpose only.',
      ],
    },
    {
      heading: 'What we publish about a drawing',
      paragraphs: [
        'After a drawing, the last four digits of the winner’s phone number are published, with the raffle, the date and the winning entry’s number.',
        'So that anybody can check the drawing, we also publish the list of everybody who was in it: a line for each, in the order in which they signed up, with how many entries they had and a code in the place of their id. No phone number and no name is on it. Which line is yours can be told only with a number that we give to nobody but the browser that you entered with.',
        'A list that was published stays, also when you have your sign-up removed: without it the drawing could no longer be checked.',
      ],
    },
    {
      heading: 'Payments',
      paragraphs: [
        'If you buy a package of bonus entries, Stripe processes the card payment. Your card details go to Stripe and never reach us. We store what was bought, the amount and the payment’s number.',
        'Nothing of Stripe is loaded before you open the payment form. From then on Stripe gets what any site gets that your browser talks to, and uses it to tell fraud from honest payments.',
      ],
    },
    {
      heading: 'Cookies and storage',
      paragraphs: [
        'Entering sets one cookie, “visitor”. It holds a signed number that lets your own device show your own entries, and it lasts 400 days. Scripts cannot read it, and it is not used to follow you anywhere. We set no cookie before you enter.',
        'Your browser also keeps for us: the session number, which pages were counted, which links of texts were opened, and the number of a payment that is not confirmed yet, until you close the tab, and your answer about ads, until you clear it.',
      ],
    },
    {
      heading: 'Selling and sharing',
      paragraphs: [
        'We do not sell your data and do not share it for anyone else’s advertising. Meta learns what stands under “Ads”, and only if you accept it. We pass on what the law requires us to.',
      ],
    },
    {
      heading: 'How long we keep it',
      paragraphs: [
        'We keep visits until we clear them; clearing deletes all of them at once. We keep your sign-up while you take part. Records of drawings, purchases, consents and opt-outs stay longer, because we have to be able to show that a drawing was fair and that a STOP is respected.',
      ],
    },
    {
      heading: 'Your choices',
      paragraphs: [
        'You can ask what we hold about you, have it corrected, get a copy, or have it removed. Removing your sign-up takes you out of the raffle. Write to us through the contact page; we answer within 30 days.',
        'The raffles are for people aged 18 and over. If a younger person has signed up, tell us and we remove the sign-up.',
      ],
    },
  ],
};

export const contact: LegalDocument = {
  title: 'Contact us',
  intro: `Write to ${contactEmail}. A person reads every message and answers within a few days.`,
  sections: [
    {
      heading: 'What to include',
      paragraphs: ['So that we can help with the first answer, tell us:'],
      list: [
        'which raffle it is about',
        'the last four digits of the phone number you entered with, not the whole number',
        'what happened, and what you expected',
      ],
    },
    {
      heading: 'Texts',
      paragraphs: [
        'You do not need to write to us to stop texts. Reply STOP to any of them and they end at once. Reply HELP for help, or START to get them again.',
      ],
    },
    {
      heading: 'If you won',
      paragraphs: [
        'Reply to the text we sent you, or write to us from the address where you would like an answer. We never ask a winner for money, card details or a password. If someone does, it is not us, and we would like to know.',
      ],
    },
    {
      heading: 'Your data',
      paragraphs: [
        'To see, correct or remove what we hold about you, write “My data” in the subject. We check that the number is yours before we send or remove anything.',
      ],
    },
  ],
};
