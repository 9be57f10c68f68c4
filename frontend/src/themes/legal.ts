import type { LegalDocument, Link } from './types';

// The server replaces the tokens between percent signs when it starts.
const timeZone = '%SITE_TIME_ZONE%';
const siteName = '%SITE_NAME%';
const sponsorName = '%SPONSOR_NAME%';
const sponsorAddress = '%SPONSOR_ADDRESS%';
const contactEmail = '%CONTACT_EMAIL%';
const visitorCookie = '%VISITOR_COOKIE%';
const retentionDays = '%RETENTION_DAYS%';

const contactPage: Link = { text: 'contact page', href: '/contact' };
const privacyPolicy: Link = { text: 'privacy policy', href: '/privacy' };
const versions: Link = { text: 'Versions of the rules', href: '/rules' };
const prizes: Link = { text: 'What can be won', href: '/rules#what-can-be-won' };
const pastDrawings: Link = { text: 'Past drawings', href: '/drawings#past' };

export const terms: LegalDocument = {
  title: 'Official rules',
  intro:
    `These are the terms and conditions of the monthly raffles of ${siteName}. No purchase is necessary to enter or win. A free entry counts exactly as much as a bought one.`,
  summary: [
    {
      term: 'What',
      line: 'Monthly raffles. Each has one prize a month. What it is and what it is worth stand on the page of the raffle.',
    },
    {
      term: 'Who',
      line: 'You, if you live in the United States, are at least 18, and neither work for us nor live with someone who does.',
    },
    {
      term: 'How',
      line: 'Type your phone number on the page of one raffle, and the code if we text you one. One raffle at a time per phone number.',
    },
    {
      term: 'Cost',
      line: 'Free. You never have to buy anything, and a bought entry has the same chance as a free one.',
    },
    {
      term: 'Winner',
      line: 'A computer picks an entry at random, and anyone can check how. We text the number it belongs to, or call. After that there are 14 days to claim the prize.',
    },
  ],
  sections: [
    {
      heading: 'Which version counts',
      id: 'versions',
      paragraphs: [
        [
          'We keep each version of these rules, with the numbers of this site, its date and its SHA-256 hash, under ',
          versions,
          '. The first version counts from its date. A later one counts from the beginning of the next month, in the time zone of this site, so the rules of a month do not change while it lasts. The announcement of each drawing names the version of its month and its hash.',
        ],
      ],
    },
    {
      heading: 'Sponsor',
      paragraphs: [
        [
          `The raffles of ${siteName} are sponsored and run by ${sponsorName}, ${sponsorAddress} (“we”). You can reach us through the `,
          contactPage,
          ' or at ',
          { text: contactEmail, href: `mailto:${contactEmail}` },
          '.',
        ],
        'No phone maker, phone company, email service or social network sponsors or runs the raffles.',
      ],
    },
    {
      heading: 'Who can enter',
      paragraphs: [
        'You can enter if you live in the United States and are at least 18 years old on the day you enter. The raffles are void where the law prohibits them.',
        'People who work for us, and people who live with them, cannot enter.',
      ],
    },
    {
      heading: 'How to enter free',
      paragraphs: [
        'Open the page of a raffle on this site, type your phone number and press “Enter Free Raffle Now”. If the page then asks for a code, type the one that we text to the number: it shows that the number is yours. That is one entry. It costs nothing beyond what your own phone or internet plan charges.',
        'Agreeing to get texts about future raffles is a separate choice. You can enter without it, and it does not affect your chances.',
      ],
    },
    {
      heading: 'One raffle at a time per phone number',
      paragraphs: [
        'A phone number is in one raffle at a time. If you sign up again, on the same page or another, you stay in the raffle you are in, with the entries you have. Use your own number.',
        'After the last drawing of a raffle that has ended, your number can enter another raffle. It begins there with one entry. The entries of the raffle that has ended stay behind, and nobody gets an entry for inviting you.',
      ],
    },
    {
      heading: 'More entries',
      paragraphs: [
        'After you enter, you get a referral link. Each person who enters for the first time through it gives you one more entry, free, with no limit. That person gets one entry, like anyone else.',
        'At times we may sell packages of bonus entries. You never have to buy one: where packages are sold, you can get entries free every day, up to the same number in a month as anybody can buy. A bought entry has the same chance in a drawing as a free one. More entries mean a better chance, however you got them. If a payment is refunded or taken back by your bank, you lose the entries it paid for; a refund of part of it takes that part of them. While your bank looks into a payment, its entries stay out of drawings.',
      ],
    },
    {
      heading: 'Entry period and drawing',
      paragraphs: [
        [
          `We draw each raffle every month. The drawing is planned for the 1st, in the time zone of this site (${timeZone}). We announce each drawing before its list of entries is frozen. The announcement, under `,
          pastDrawings,
          ', names the moment at which the entry period ends; where it names none, the entry period ends when the list is frozen. The drawing includes every eligible entry that was in the raffle by then. Later entries count for the next drawing.',
        ],
        'Each raffle has one drawing for each month. If we hold an additional one, its announcement names its prize and its reason, which stay public, and it replaces nothing.',
        'Your entries stay in the raffle for the drawings of later months until you ask us to delete them or the raffle ends. You do not need to sign up again.',
      ],
    },
    {
      heading: 'When a raffle ends',
      id: 'ending',
      paragraphs: [
        'We can end a raffle when a month ends, or at once with a reason that stays public. From then on nobody can enter it, get free entries for it or begin to buy entries. A drawing that was announced is held as announced, with everybody who is in. A payment that succeeds after the last list of entries is frozen is refunded.',
      ],
    },
    {
      heading: 'How a winner is drawn',
      id: 'drawing',
      paragraphs: [
        'Every entry in a raffle gets a number. A computer picks one of the numbers at random, each with the same probability. The person who holds it is asked to claim the prize, and has won once we have approved the claim. The computer also picks alternates, in order, in case the prize is not claimed. The result cannot be changed or undone afterward.',
        [
          'Anyone can check a drawing. First, we announce it: we publish the hash of a random seed and name a future round of a public randomness beacon. Before that round, we freeze the list of everyone who is in, and publish the list and the seed. When the round comes, the seed, the list and the random value of the beacon together decide which entry wins. Nobody knows that value before. ',
          pastDrawings,
          ' shows all of this, recomputes it in your browser, and says what it cannot show. A drawing without the beacon says so on its page: then it cannot show that we did not know the winner.',
        ],
      ],
    },
    {
      heading: 'Odds',
      paragraphs: [
        'Your odds of winning are the number of entries you hold divided by the number of all eligible entries in your raffle when it is drawn. They depend on how many entries there are.',
      ],
    },
    {
      heading: 'Prizes',
      paragraphs: [
        [
          'There is one prize per raffle and month. We list it, what its kit includes and what each item is worth at retail, under ',
          prizes,
          '. The page of the raffle and the announcement of its drawing say the same.',
        ],
        'The prize of a month stays what it was when the month began or, if the raffle opened later, when it opened. We publish another prize at least 24 hours before the month that it counts for. Until that month begins, both stand in that list.',
      ],
    },
    {
      heading: 'Packages in our texts',
      id: 'packages',
      paragraphs: [
        'The links in our texts lead to pages that show the prize of a raffle or, for some raffles, an example of a larger package: what is in it, what each part is worth, and a drawing date. Such a package is not a prize under these rules. It becomes one only if we announce a drawing for it on this site, and everyone who is in the raffle takes part in that drawing without a separate entry. Getting a text does not affect your chances.',
      ],
    },
    {
      heading: 'How winners hear from us',
      paragraphs: [
        'If your entry is drawn, we text the number you entered with: “You may have won”, with a link that is yours alone. On the page behind it, you claim the prize. We never ask a winner for a fee, a card number, a bank account, a tax number or a password. Shipping is free.',
        [
          'If you have replied STOP to our texts, we cannot text you, not even about a prize. Text START to hear from us again, or write to us through the ',
          contactPage,
          '. If we cannot text your number, we call it.',
        ],
      ],
    },
    {
      heading: 'How a prize is claimed',
      id: 'claiming',
      paragraphs: [
        'First, the page shows that the number is yours: we text it a code, which you type there. Where no code can be sent, the browser that you entered with proves the number instead, or we call it.',
        'Then you tell us your name and an address in the United States, and confirm that you were at least 18 on the day you entered, live in the United States and accept these rules. You can also turn the prize down. A person compares what you sent with these rules. Once they approve your claim, you have won, and we send the prize.',
        'You have 14 days to send your details. They begin when our text is delivered or when we call you, and we remind you by text. If a bank looks into a payment for entries of yours, your claim waits until that is settled, and so does the deadline.',
        'If you do not claim in time, turn the prize down, cannot be reached with three calls on three days, or are not eligible, the prize goes to the next alternate, in the order of the drawing. Nobody can skip one. If none of them claims it, the prize stays unclaimed and there is no new drawing for it.',
      ],
    },
    {
      heading: 'If we reject a claim',
      id: 'rejection',
      paragraphs: [
        'We can reject a claim only for one of these reasons: the person was younger than 18, does not live in the United States, works for us or lives with somebody who does, got around these rules, took back the payment for the entries, or sent details that are not right.',
        'The page of the claim tells you the reason and what we found. From then on you have 7 days to object on that page, once. A person reads the objection and can still approve the claim. Until those days are over, the prize goes to nobody else.',
      ],
    },
    {
      heading: 'What we publish about a claim',
      id: 'record',
      paragraphs: [
        [
          'Under ',
          pastDrawings,
          ', each drawing shows what became of its prize: until when we wait for a claim, whether it was claimed and delivered, how the number was verified, and for each alternate why the one before did not get it. For a rejected claim, it shows the reason and whether one person or two people decided. Your first name and state are there only if you agree to it on the page of the claim. Then the pages where people enter name you, too, until the next winner who agrees.',
        ],
      ],
    },
    {
      heading: 'What the prize is and is not',
      paragraphs: [
        'The prize cannot be exchanged for cash or passed on to someone else before it ships. If an item is not available, we replace it with one of the same or greater value.',
      ],
    },
    {
      heading: 'Taxes',
      paragraphs: ['The winner pays any federal, state or local tax due on the prize.'],
    },
    {
      heading: 'Disqualification',
      paragraphs: [
        "We flag sign-ups that look like an attempt to get around these rules, such as many sign-ups from one IP address, numbers that are not the person's own, or entries made by software. Flagged sign-ups can still use the site but cannot win. While a sign-up is flagged, whoever invited it does not have the extra entry.",
        [
          'If yours was flagged, your page says so in the browser you entered with, and why. If we are wrong, tell us there: a person reads it and answers on the same page. You can also write to us through the ',
          contactPage,
          ', and a person will look at it.',
        ],
      ],
    },
    {
      heading: 'If something goes wrong',
      paragraphs: [
        'If a fault, fraud or something outside our control makes a fair drawing impossible, we may postpone or cancel it. Your entries then count for the next drawing.',
        'By entering, you accept these rules and agree that we are not liable for harm from taking part or from using the prize, as far as the law allows. Nothing here takes away rights the law gives you.',
      ],
    },
    {
      heading: 'Your data and the winners list',
      paragraphs: [
        [
          'The ',
          privacyPolicy,
          ' says what we store and publish, and why. ',
          pastDrawings,
          ' lists the drawn entries: the raffle, the date, the last four digits of the phone number, and what became of the prize. You can also ask us through the ',
          contactPage,
          '.',
        ],
      ],
    },
  ],
};

export const privacy: LegalDocument = {
  title: 'Privacy policy',
  intro:
    'What we store when you visit and enter, why, and how to ask us about it. We do not sell your data.',
  sections: [
    {
      heading: 'Who runs this site',
      paragraphs: [
        [
          `${siteName} is run by ${sponsorName}, ${sponsorAddress} (“we”). Whatever you want to know about your data, write to `,
          { text: contactEmail, href: `mailto:${contactEmail}` },
          '.',
        ],
      ],
    },
    {
      heading: 'What we store',
      paragraphs: ['When you enter a raffle, we store:'],
      list: [
        'your phone number, the raffle you entered and the time',
        'your entries and where each came from: sign-up, a friend, a free entry of a day or a purchase',
        'your referral code, and who entered through it',
        'how often you pressed “Email” or “Text” to share your link, which of the two, when last, for how many days in a row, and the points and levels that we count from that. They give no entries',
        "the IP address you entered from, your browser's user agent (its name and version) and its fingerprint (see below)",
        'whether you agreed to texts, in which wording, when, how and from which IP address, and when you changed your mind',
        'what our staff note about your sign-up, in words and tags, and whether they found that it is the same person as another one',
        'whether we flagged your sign-up, when and why, what you wrote to us about it on your page, and our answer',
      ],
    },
    {
      heading: 'Until you enter the code',
      paragraphs: [
        "We may text a code to the number on the form, to check that it is yours. You are entered once you type the code. Until then, we keep what the form said for 10 minutes: the number, the raffle, the friend's referral code, your answer about texts, your IP address, user agent and fingerprint. If no code is typed by then, we delete it.",
        'So that nobody can send texts to strangers again and again, we also keep for a day when a code was sent, the network address that asked for it, and two keyed hashes: one of the number and one of the number without its last four digits. We cannot read a number from them. As of any other text, we keep a record that we sent one to the number, but not the code.',
      ],
    },
    {
      heading: 'If you claim a prize',
      id: 'claims',
      paragraphs: [
        'If your entry is drawn, we store when we texted or called you, how you proved your number, and what you send us on the page of the claim: your name and address, what you confirmed, whether you agreed to publish your first name and state, and an objection, if you write one. When we send the prize, we store the carrier and the tracking number.',
        'Your name and address are stored encrypted. Only the owners of this site can see them, and each look is written down in a log that nobody can change. We use them to check the claim and to send the prize, for which the carrier gets them. We erase them 90 days after the claim has ended, however it ended, and the tracking number with them.',
        'Visits to the page of a claim are not counted, and that page loads nothing from other companies.',
      ],
    },
    {
      heading: 'What we count when you visit',
      paragraphs: [
        'We count visits ourselves, on our own server, to see which pages and links work and to find dishonest sign-ups. No analytics company is involved. For each visit we store:',
      ],
      list: [
        'the pages you saw, when, how long they were on your screen, and the referral code or the text whose link you followed',
        'whether and on which page you started the form, sent it, entered, pressed a share button, or started or finished a purchase',
        'a random session number, which a tab of your browser keeps until you close it',
        'your IP address and user agent, the kind of device and browser that the user agent names, and the country and city of the address, if the company that passes visits on to our server names them',
        "a fingerprint: one number calculated from what browsers tell every site (user agent, languages, size and colors of the screen, time zone, number of processor cores). We draw and measure nothing in secret to make it more exact, and other people's browsers can have the same one",
      ],
    },
    {
      heading: 'Asking not to be counted',
      paragraphs: [
        'If your browser sends Global Privacy Control or Do Not Track, nothing on the list above is sent or stored, and no session number or fingerprint is made. We also do not record that you opened the link in a text, so its page cannot say whether you are entered. Everything else on this site works the same. We do not count bots or our own staff pages either.',
      ],
    },
    {
      heading: 'Ads',
      id: 'ads',
      paragraphs: [
        "If we advertise, we may use Meta's pixel to learn whether an ad brought visitors. It is loaded only if we have set it up and you accepted it in this browser. Until then, nothing of it is loaded and nothing is sent to Meta.",
        'If you accept, Meta learns when your browser visits a page here, opens a link from our texts, enters, agrees to our texts, shares a link, or sees or buys entry packages. Each report of entering, agreeing, sharing or buying has a random number. Meta does not learn what you bought or what you paid. Like any site that your browser talks to, it also gets your IP address and its own cookies, so it may know that it is you.',
        "Meta's script runs in a closed frame. From there it cannot read this page: not your phone number, not the page's address with a referral code or the number of your entry in it, and none of our cookies. The page “Your entry and your data”, and those with the rules, this policy and our contact address, never load it.",
        'Global Privacy Control and Do Not Track count as a no, and we do not ask. You can change your answer here at any time. What Meta learned before that stays with Meta.',
      ],
      asksAboutAds: true,
    },
    {
      heading: 'What it is for',
      paragraphs: [
        'The phone number is how we keep it to one sign-up per number and how we reach a winner. The IP address, the user agent and the fingerprint help us find people who sign up many times. The session number connects the pages of one visit with each other and with the sign-up, so that we see where people give up. We keep consents so that we can prove what you agreed to and what you did not.',
      ],
    },
    {
      heading: 'Texts',
      paragraphs: [
        'To check your number, we may text it a code when you send the form. After you enter, we may send one text that confirms it and has your referral link. If your entry is drawn, we text you about it, text the codes that you ask for on the page of your claim, and remind you of its deadline. Texts about upcoming raffles go to people who checked the box for them, or turned them on later, at most 1 text per month. Our staff can also text a list of numbers that are not in a raffle; then they write down why these numbers may be texted, and the same limit holds. An entrant who did not agree gets none of them.',
        'Each text about a raffle has its own link. When you open it, we store the time, your IP address and user agent, and whether you went on to the raffle, to see which texts are useful. The link also tells us whether the number that got the text is in a raffle, so that the page can say so. The page shows neither the number nor a name.',
        'Of every text we store the number, the wording, when it was sent, and what the phone company reports about its delivery. What you reply is stored with your number and the time, and our staff read it.',
        'You turn texts about upcoming raffles on and off on your page, in the browser that you entered with. Reply STOP to any text to end all of them, HELP for help, or START to get them again: START also gives back the choice that STOP ended, and nothing else. Message and data rates may apply.',
      ],
    },
    {
      heading: 'Messages in your browser',
      id: 'push',
      paragraphs: [
        'On your page you can let your browser tell you when the raffle is drawn. Nothing of it happens before you press the button. Then the push service of your browser, which Google, Mozilla, Apple or Microsoft runs, gives us an address under which messages reach this browser (the endpoint), and your browser two keys with which we encrypt them. We store them with your sign-up, for at most five browsers, and use them for nothing but one message per drawing.',
        'The message says that the raffle was drawn and where the result is, and nothing about you. The push service passes it on without being able to read it, and learns from us that there is one, and when.',
        'We keep all of this until you stop the messages on the same page or delete your entry and data. If the push service tells us that the endpoint does not work any more, we send nothing there.',
      ],
    },
    {
      heading: 'Who sees your phone number',
      paragraphs: [
        "On the device you entered with, your own page shows your number and the numbers of friends who entered through your link. Anywhere else, only the last four digits are shown. If you enter through a friend's link, that friend can see the number you entered with.",
        'Our staff see it when they look after the raffles. Twilio, which delivers our texts, gets the number and the text, for that purpose only. Twilio keeps records of its own of each text; how long is a setting of our account there.',
      ],
    },
    {
      heading: 'What we publish about a drawing',
      paragraphs: [
        [
          'After a drawing, we publish the last four digits of the phone number of the drawn entry, its number, the raffle, the date, and what became of the prize under ',
          pastDrawings,
          '. If you claim the prize, your first name and state are published there and on the pages where people enter, only if you agree.',
        ],
        'So that anyone can check the drawing, we also publish the list of everyone who was in it: one line for each person, with the number of their entries and a code in place of their id and phone number. It has no phone numbers and no names, and its order says nothing about when people signed up. Only someone who knows your secret numbers can tell which line is yours, and we give those numbers only to the browser that you entered with. People stand in the same order in the lists of all months. So whoever lays several lists on each other may see how the number of entries of one line changed.',
        'A published list stays, even if you delete your entry and data. Without it, nobody could check the drawing any more. Then nothing says any more which line was yours.',
      ],
    },
    {
      heading: 'Payments',
      paragraphs: [
        "If you buy a package of bonus entries, Stripe processes the payment. Your card details go to Stripe and never reach us. We store what you bought, the amount, the payment's number and whether it went through. Stripe keeps records of its own of each payment, for as long as the law asks of it.",
        'Nothing from Stripe is loaded before you open the payment form. From then on, Stripe gets what any site gets that your browser talks to, may set cookies of its own, and uses all this to tell fraud from honest payments.',
      ],
    },
    {
      heading: 'Cookies and storage',
      paragraphs: [
        `Entering sets the cookie “${visitorCookie}”. It holds a signed number that lets your own device show your own entries, and it lasts 400 days. If we text you a code, another one ties that code to your browser, and later the prize if you claim one; it lasts 120 days. Scripts cannot read either of them, and we do not use them to follow you anywhere. A third, “your_page”, holds only the address of your page, so that our other pages can lead you there; it lasts 400 days. We set no cookie before you send the form; then one that is gone at once shows whether cookies work.`,
        'Until you close the tab, your browser also keeps the session number, which pages were counted, which links in texts were opened, the number of a payment that is not confirmed yet, what you sent with the form while you wait for a code, the last link of a friend that you opened, until you enter, whether “Your data” is open, what you typed on the page of a claim until you send it, and, if a file of a page is missing and the page reloads, what you had typed and that it reloaded. Until you clear them, it keeps your answer about ads and what it saw of our drawings: the state of their public log and, for drawings that you were in, your line of the list with your phone number and the secret numbers that belong to it. So it can tell you if we published something else later.',
        'If you let it tell you when the raffle is drawn, your browser also keeps a small program of ours that shows the message (a service worker), until you stop the messages.',
      ],
    },
    {
      heading: 'Selling and sharing',
      paragraphs: [
        [
          "We do not sell your data and do not share it for anyone else's advertising. Meta learns what we list under ",
          { text: 'Ads', href: '#ads' },
          ', and only if you accept it. We pass on what the law requires.',
        ],
      ],
    },
    {
      heading: 'How long we keep it',
      id: 'keeping',
      paragraphs: [
        'We keep your sign-up while you take part, and texts and replies until we clear them. Clearing deletes all of them at once. Records of drawings, purchases, consents and opt-outs stay longer, because we have to be able to show that a drawing was fair and that we respect a STOP.',
        'Every day, the server deletes what has become old enough:',
      ],
      list: [
        `IP addresses, user agents and fingerprints of visits, sign-ups, consents, shares and links that were opened: after ${retentionDays} days`,
        'single visits: after 25 months, by whole months. Numbers stay, such as how often a page was seen in an hour',
        'the ids of the events that Stripe reports about payments: after 90 days',
      ],
    },
    {
      heading: 'Your choices',
      id: 'choices',
      paragraphs: [
        'You can get a copy of what we store about you, and delete your entry and data, on your own page: follow “Your entry and your data” in the browser that you entered with, and open “Your data”. If we check numbers with codes, we text one to yours first. The copy is a ZIP file. Its link works for 72 hours, and you can ask for five copies a day.',
        [
          'If you no longer have that browser, or if something is wrong, write to ',
          { text: contactEmail, href: `mailto:${contactEmail}` },
          '. A person reads it and does it for you. Before they delete anything, we text a code to your number, where one can be sent.',
        ],
        'The raffles are for people aged 18 and over. If a younger person has signed up, tell us and we will delete the sign-up.',
      ],
    },
    {
      heading: 'If you delete your entry and data',
      id: 'deleting',
      paragraphs: [
        'We delete at once what says who you are: your phone number, IP addresses, user agents and fingerprints, the texts to you and your replies, the endpoints of messages in your browsers, what we counted of your shares, what you and we wrote about a hold, what our staff noted, and the name and address that you gave for a prize. The last four digits of your number leave the drawings that you won. Which visits were yours can no longer be told.',
        'Your entries are gone from every drawing whose list is not frozen yet. If your entry is drawn from a list that was frozen before, the prize goes to the next alternate. Your page and your link for friends stop working, and you get no more texts. Friends keep the entries that they have. You can enter again; that is a new sign-up.',
        'We cannot delete anything while you have a claim to a prize that is not settled, or a purchase that may still be paid, for an hour at most. You can decline the prize. A payment that arrives after a deletion goes back.',
        'This stays, so that drawings, payments and opt-outs can still be checked:',
      ],
      list: [
        'a random number in the place of you, with the entries it had and where they came from, what was bought for how much, when you agreed to texts or did not, and what staff did when',
        'the hashes in published lists of drawings, and in which drawings the random number was drawn',
        'for 13 months, a keyed hash of your phone number with four facts: whether it was flagged, how many texts about raffles and how many bought and daily free entries it got in each month, and whether a friend got an entry for it. Otherwise, deleting and entering again would get around the rules. We cannot read the number from the hash',
        'if you replied STOP, that as such a hash too, for good, so that the number gets no texts',
        'the random number and the time, in a list beside our database, so that you are deleted again if an older backup has to be restored. Backups keep what they hold until they are deleted themselves',
        'what Stripe and Twilio keep for themselves, as the sections above say',
      ],
    },
  ],
};

export const contact: LegalDocument = {
  title: 'Contact us',
  intro: [
    'Write to ',
    { text: contactEmail, href: `mailto:${contactEmail}` },
    '. A person reads every message.',
  ],
  sections: [
    {
      heading: 'What to include',
      paragraphs: ['So that we can help with our first answer, tell us:'],
      list: [
        'which raffle it is about',
        'the last four digits of the phone number you entered with, not the whole number',
        'what happened, and what you expected',
      ],
    },
    {
      heading: 'Texts',
      paragraphs: [
        'You do not need to write to us to stop texts. Reply STOP to any text, and they all end. Reply HELP for help, or START to get them again.',
      ],
    },
    {
      heading: 'If you won',
      paragraphs: [
        [
          'We text the number you entered with, with a link to the page where you claim the prize, as the ',
          { text: 'official rules', href: '/rules#claiming' },
          ' say. You can also write to us first. We never ask a winner for money, card details, a tax number or a password. If someone does, it is not us, and we would like to know.',
        ],
      ],
    },
    {
      heading: 'Your data',
      paragraphs: [
        [
          'The ',
          privacyPolicy,
          ' says what we store, and what you can ask us to do with it. Write “My data” in the subject. We check that the number is yours before we send or change anything.',
        ],
      ],
    },
  ],
};
