import { PageFrame } from '../../shared/ui/PageFrame';
import type { LegalDocument } from '../../themes';

export function LegalPage({ document }: { document: LegalDocument }) {
  return (
    <PageFrame>
      <article className="legal">
        <h1>{document.title}</h1>
        <p className="lead">{document.intro}</p>
        {document.sections.map(({ heading, paragraphs, list }) => (
          <section key={heading}>
            <h2>{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {list && (
              <ul>
                {list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </article>
    </PageFrame>
  );
}
