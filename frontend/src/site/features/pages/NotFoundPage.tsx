import { PageFrame } from '../../ui/PageFrame';
import { generic, type Raffle } from '../../../themes';
import { GenericScene } from '../../../themes/scenes';

export function NotFoundPage({ raffles }: { raffles: Raffle[] }) {
  return (
    <PageFrame>
      <div className="hello">
        <div className="scene">
          <GenericScene />
        </div>
        <div>
          <h1>{generic.pages.notFound.title}</h1>
          <p className="lead">
            There is nothing at this address. The link may be old, or a character may be missing.
            {raffles.length > 0 && ' Here are our raffles:'}
          </p>
          <ul className="links">
            {raffles.map((raffle) => (
              <li key={raffle.key}>
                <a href={`/${raffle.key}`}>{raffle.name}</a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </PageFrame>
  );
}
