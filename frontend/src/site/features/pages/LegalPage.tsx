import { Fragment } from 'react';
import { Contents, idOf } from '../../ui/Contents';
import { PageFrame } from '../../ui/PageFrame';
import type { LegalDocument, Prose } from '../../../themes';

/** Shorter texts are seen at a glance. */
const MIN_SECTIONS = 6;

export function LegalPage({ document }: { document: LegalDocument }) {
  return (
    <PageFrame>
      <article className="legal">
        <LegalText document={document} />
      </article>
    </PageFrame>
  );
}

interface LegalTextProps {
  document: LegalDocument;
  /** Sections that follow it on the page. */
  more?: { id: string; heading: string }[];
}

export function LegalText({
  document: { title, intro, summary, sections },
  more = [],
}: LegalTextProps) {
  const contents = sections.map(({ id, heading }) => ({ id: id ?? idOf(heading), heading }));
  return (
    <>
      <div>
        <h1>{title}</h1>
        <p className="lead">
          <Text prose={intro} />
        </p>
        {summary && <Summary lines={summary} />}
      </div>
      {contents.length >= MIN_SECTIONS && <Contents sections={[...contents, ...more]} />}
      <div>
        {sections.map(({ heading, id, paragraphs, list, asksAboutAds }) => (
          <section key={heading} id={id ?? idOf(heading)}>
            <h2>{heading}</h2>
            {paragraphs.map((paragraph, index) => (
              <p key={index}>
                <Text prose={paragraph} />
              </p>
            ))}
            {list && (
              <ul>
                {list.map((item, index) => (
                  <li key={index}>
                    <Text prose={item} />
                  </li>
                ))}
              </ul>
            )}
            {asksAboutAds && <AdsChoice />}
          </section>
        ))}
      </div>
    </>
  );
}

function Summary({ lines }: { lines: NonNullable<LegalDocument['summary']> }) {
  return (
    <section className="card summary" aria-labelledby="in-short">
      <h2 id="in-short">In short</h2>
      <dl>
        {lines.map(({ term, line }) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{line}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="note">The text below is what counts.</p>
    </section>
  );
}

function Text({ prose }: { prose: Prose }) {
  return [prose].flat().map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      <a key={index} href={part.href}>
        {part.text}
      </a>
    ),
  );
}

/** Filled in where the server was given a pixel: src/site/features/tracking/consentBar.ts. */
function AdsChoice() {
  return (
    <div className="card" data-ads-choice="">
      <p role="status" tabIndex={-1}>
        No ads pixel is in use here at the moment, so there is nothing to choose.
      </p>
      <div className="choices" />
    </div>
  );
}
