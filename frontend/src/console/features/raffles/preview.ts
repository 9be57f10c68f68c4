import { useEffect, useState } from 'react';
import type { Content } from '../../api/raffles';
import { filled } from '../../../shared/lib/fillTemplate';
import { inDollars, worthOf } from '../../../shared/lib/inDollars';
import { nextDrawing, siteTimeZone, WITHOUT_A_CLOCK } from '../../../shared/lib/nextDrawing';
import { siteName } from '../../../shared/lib/siteName';

/** The pages of a raffle with places for its words, and the built-in pictures: frontend/src/entries/prerender.tsx. */
export interface Templates {
  signUp: string;
  success: string;
  scenes: Record<string, string>;
}

export type PreviewPage = 'signUp' | 'success';

let loading: Promise<Templates> | undefined;

function load(): Promise<Templates> {
  loading ??= fetchTemplates(document.body.dataset.preview);
  loading.catch(() => (loading = undefined)); // the next one asks again
  return loading;
}

async function fetchTemplates(address: string | undefined): Promise<Templates> {
  if (!address) throw new Error('the page names no preview');
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for the preview`);
  return (await answer.json()) as Templates;
}

/** Undefined until it is there, null if it did not arrive: everything else works without it. */
export function useTemplates(): Templates | null | undefined {
  const [templates, setTemplates] = useState<Templates | null>();
  useEffect(() => {
    let isGone = false;
    load().then(
      (loaded) => !isGone && setTemplates(loaded),
      () => !isGone && setTemplates(null),
    );
    return () => {
      isGone = true;
    };
  }, []);
  return templates;
}

/** The page that visitors would see of this content. */
export function previewOf(
  templates: Templates,
  page: PreviewPage,
  key: string,
  content: Content,
): string {
  const { kit, picture } = content;
  const raffle = {
    ...content,
    key,
    value: worthOf(content),
    parts: kit.map((part) => ({ ...part, value: inDollars(part.valueInCents) })),
    shareHeading: 'Double Your Chances',
    // What the buttons would share is read in the form.
    emailSubject: '',
    emailBody: '',
    textBody: '',
  };
  const scene = picture.upload
    ? `<img src="/media/${picture.upload}" alt="">`
    : (templates.scenes[picture.scene] ?? '');
  const sample: [string, string][] = [
    ['%SITE_NAME%', siteName],
    ['EARLY_CODE', 'ABCD2345'],
    ['early/', `${location.host}/`],
    [WITHOUT_A_CLOCK, nextDrawing(new Date(), siteTimeZone())],
  ];
  // The styles stay as they are: the console's policy knows them by their hash.
  const [head = '', ...rest] = templates[page].split('</head>');
  const body = sample.reduce(
    (html, [place, text]) => html.replaceAll(place, () => text),
    rest.join(''),
  );
  return filled(`${head}</head>${body}`, { raffle }).replaceAll('{{ raffle.scene }}', () => scene);
}
