import '../site/styles/site.css';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { App } from '../site/app/App';
import { AGAIN } from '../site/app/routes';
import { loadScreen } from '../site/app/screen';

async function hydrate() {
  const container = document.getElementById('root');
  const screen = await loadScreen(location.pathname);
  if (!container || !screen) return;
  container.querySelector('[data-problem]')?.replaceChildren(); // as it was prerendered
  const scene = container.querySelector('.scene')?.innerHTML ?? '';
  const props = { screen, scene };
  // In one go: whoever types or submits meanwhile meets either the boot script or React, never half of each.
  const root = flushSync(() => hydrateRoot(container, <App {...props} />));
  if (location.search === AGAIN) {
    history.replaceState(null, '', location.pathname);
    root.render(<App {...props} alreadyIn />);
  }
}

hydrate().catch(() => window.early?.giveUp());
