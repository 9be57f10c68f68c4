import type { JSX } from 'react';

export type ThemeKey = 'garden-bag' | 'fresh-sips' | 'kitchen-garden' | 'sustainable-living';

export interface KitItem {
  item: string;
  detail: string;
  /** Approximate retail value in whole US dollars. */
  value: number;
}

/** What a share button puts into the visitor's own mail or messaging app. */
export interface ShareCopy {
  emailSubject: string;
  /** `nextDrawing` is the computed date in words, e.g. "August 1st, 2025". */
  emailBody(link: string, nextDrawing: string): string;
  textBody(link: string): string;
}

export interface Theme extends ShareCopy {
  key: ThemeKey;
  /** The prize's name, as shown in toasts, drawings and the rules. */
  name: string;
  /** The page's h1. */
  title: string;
  tagline: string;
  description: string;
  kit: KitItem[];
  totalValue: string;
  /** Without the name of the site, which follows it. */
  metaTitle: string;
  metaDescription: string;
  /** A file name in public/. */
  ogImage: string;
  /** Whether the sign-up page states "Next Drawing: …". */
  showsNextDrawing: boolean;
  successTitle: string;
  /** Decorative: hidden from assistive technology. */
  Scene: () => JSX.Element;
}

export type GenericPage = 'welcome' | 'referral' | 'success' | 'privacy' | 'contact' | 'notFound';

interface PageCopy {
  /** The page's h1. */
  title: string;
  /** Without the name of the site, which follows it. */
  metaTitle: string;
  metaDescription: string;
}

/** The unthemed pages, all under `data-theme="generic"`. */
export interface GenericTheme extends ShareCopy {
  key: 'generic';
  /** The prize's name: who enters without a theme enters garden-bag. */
  name: string;
  tagline: string;
  ogImage: string;
  successTitle: string;
  Scene: () => JSX.Element;
  pages: Record<GenericPage, PageCopy>;
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
