import { PageFrame } from '../../ui/PageFrame';
import type { LegalDocument, Prose } from '../../../themes';

export function LegalPage({ document }: { document: LegalDocument }) {
  return (
    <PageFrame>
      <article className="legal">
        <h1>{document.title}</h1>
        <p className="lead">
          <Text prose={document.intro} />
        </p>
        {document.sections.map(({ heading, id, paragraphs, list, asksAboutAds }) => (
          <section key={heading} id={id}>
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
      </article>
    </PageFrame>
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
