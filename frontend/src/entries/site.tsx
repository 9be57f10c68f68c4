import '../site/styles/site.css';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { App } from '../site/app/App';
import { PageBoundary } from '../site/app/PageBoundary';
import { AGAIN } from '../site/app/routes';
import { loadScreen } from '../site/app/screen';

async function hydrate() {
  const container = document.getElementById('root');
  const screen = await loadScreen(location.pathname);
  if (!container || !screen) return;
  container.querySelector('[data-problem]')?.replaceChildren(); // as it was prerendered
  const scene = container.querySelector('.scene')?.innerHTML ?? '';
  const props = { screen, scene };
  // Synchronously: an input or a submit is handled by the boot script or by React, never by half of each.
  const app = <App {...props} />;
  const root = flushSync(() => hydrateRoot(container, <PageBoundary>{app}</PageBoundary>));
  if (location.search === AGAIN) {
    history.replaceState(null, '', location.pathname);
    root.render(
      <PageBoundary>
        <App {...props} alreadyIn />
      </PageBoundary>,
    );
  }
}

hydrate().catch(() => window.early?.giveUp());
