import { PageFrame } from '../../ui/PageFrame';
import { WayBack } from '../../ui/WayBack';
import { generic, type Raffle } from '../../../themes';
import { GenericScene } from '../../../themes/scenes';
import { worthOf } from '../../../shared/lib/inDollars';

export interface RafflesProps {
  raffles: Raffle[];
  /** Their scene as SVG. */
  scene: string;
}

export function WelcomePage({ raffles, scene }: RafflesProps) {
  return (
    <PageFrame aside={<WayBack />}>
      <div className="hello">
        <div className="scene">
          <GenericScene />
        </div>
        <div>
          <h1>{generic.pages.welcome.title}</h1>
          <p className="lead">
            This is the main page. Visit our product landing pages to enter giveaways. One raffle
            per phone number.
          </p>
        </div>
      </div>
      {raffles.length > 0 ? (
        <ul className="raffles">
          {raffles.map((raffle) => (
            <li key={raffle.key} data-palette={raffle.palette}>
              <a href={`/${raffle.key}`}>
                <span className="scene" dangerouslySetInnerHTML={{ __html: scene }} />
                <h2>{raffle.name}</h2>
                <p>{raffle.tagline}</p>
                <p className="raffle-foot">
                  <span className="figure">{worthOf(raffle)}</span>
                  <span className="go">Enter free</span>
                </p>
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <p className="card">
          No raffle is open now. What was drawn is under <a href="/drawings">Drawings</a>.
        </p>
      )}
    </PageFrame>
  );
}
