/** What the server writes into the pages of a raffle: the content of its version in force, and how its pages differ. */
export interface Raffle {
  key: string;
  /** The prize's name, as shown in toasts, drawings and the rules. */
  name: string;
  /** The page's h1. */
  title: string;
  tagline: string;
  description: string;
  kit: KitItem[];
  totalValue: TotalValue;
  /** Without the name of the site, which follows it. */
  metaTitle: string;
  metaDescription: string;
  successTitle: string;
  /** Whether the sign-up page states "Next Drawing: …". */
  showsNextDrawing: boolean;
  share: ShareTexts;
  palette: string;
  picture: { scene: string };
  shareHeading: string;
  /** Numbers of friends stay masked even where the server gives them in full. */
  masksNumbers: boolean;
  /** The success page stays empty but for 'Loading...' until the user record is there. */
  waitsForUser: boolean;
  /** Whether it can be entered. Where it cannot, its pages offer nothing that only an open raffle has. */
  isOpen: boolean;
  /** What pages of a raffle that has ended lead to: the raffles that can be entered. Others name none. */
  openRaffles: OpenRaffle[];
}

export type OpenRaffle = Pick<Raffle, 'key' | 'name'>;

export interface KitItem {
  item: string;
  detail: string;
  /** What it is worth at retail. */
  valueInCents: number;
}

interface TotalValue {
  dollars: number;
  orMore: boolean;
}

/** What a share button puts into the visitor's own mail or messaging app, with {LINK} and other placeholders. */
export interface ShareTexts {
  emailSubject: string;
  emailBody: string;
  textBody: string;
}

export type GenericPage = 'welcome' | 'referral' | 'success' | 'privacy' | 'contact' | 'notFound';

interface PageCopy {
  /** The page's h1. */
  title: string;
  /** Without the name of the site, which follows it. */
  metaTitle: string;
  metaDescription: string;
}

/** The words of pages that are no raffle's, all under `data-palette="generic"`. */
export interface GenericWords {
  shareHeading: string;
  successTitle: string;
  share: ShareTexts;
  pages: Record<GenericPage, PageCopy>;
}

/** The words of a page. Who enters without a raffle enters the default one, with the generic words. */
export interface Copy {
  raffle: Raffle;
  generic?: GenericWords;
}

export interface Link {
  text: string;
  href: string;
}

/** A text, which can have links in it. */
export type Prose = string | (string | Link)[];

interface LegalSection {
  heading: string;
  /** For links to it. */
  id?: string;
  paragraphs: Prose[];
  list?: Prose[];
  /** Whether the answer about the ads pixel is given and taken back here. */
  asksAboutAds?: boolean;
}

export interface LegalDocument {
  title: string;
  intro: Prose;
  /** In a few plain lines what the text says; no part of it. */
  summary?: { term: string; line: string }[];
  sections: LegalSection[];
}
