import '../shared/styles/site.css';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { App } from '../app/App';
import { loadScreen } from '../app/screen';
import { makeStore } from '../app/store';

async function hydrate() {
  const root = document.getElementById('root');
  const screen = await loadScreen(location.pathname);
  if (!root || !screen) return;
  // In one go: whoever types or submits meanwhile meets either the boot script or React, never half of each.
  flushSync(() => hydrateRoot(root, <App store={makeStore()} screen={screen} />));
}

void hydrate();
