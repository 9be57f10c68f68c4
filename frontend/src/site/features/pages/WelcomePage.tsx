import { PageFrame } from '../../ui/PageFrame';
import { WayBack } from '../../ui/WayBack';
import { generic, themes } from '../../../themes';

export function WelcomePage() {
  return (
    <PageFrame aside={<WayBack />}>
      <div className="hello">
        <div className="scene">
          <generic.Scene />
        </div>
        <div>
          <h1>{generic.pages.welcome.title}</h1>
          <p className="lead">
            This is the main page. Visit our product landing pages to enter giveaways. One raffle
            per phone number.
          </p>
        </div>
      </div>
      <ul className="raffles">
        {Object.values(themes).map((theme) => (
          <li key={theme.key} data-theme={theme.key}>
            <a href={`/${theme.key}`}>
              <span className="scene">
                <theme.Scene />
              </span>
              <h2>{theme.name}</h2>
              <p>{theme.tagline}</p>
              <p className="raffle-foot">
                <span className="figure">{theme.totalValue}</span>
                <span className="go">Enter free</span>
              </p>
            </a>
          </li>
        ))}
      </ul>
    </PageFrame>
  );
}
