import { PageFrame } from '../../ui/PageFrame';
import { generic, themes } from '../../../themes';

export function NotFoundPage() {
  return (
    <PageFrame>
      <div className="hello">
        <div className="scene">
          <generic.Scene />
        </div>
        <div>
          <h1>{generic.pages.notFound.title}</h1>
          <p className="lead">
            There is nothing at this address. The link may be old, or a character may be missing.
            Here are our raffles:
          </p>
          <ul className="links">
            {Object.values(themes).map((theme) => (
              <li key={theme.key}>
                <a href={`/${theme.key}`}>{theme.name}</a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </PageFrame>
  );
}
