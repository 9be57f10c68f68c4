import '../site/styles/site.css';
import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { App } from '../site/app/App';
import { PageBoundary } from '../site/app/PageBoundary';
import { loadScreen } from '../site/app/screen';
import { arrivalOf } from '../site/lib/early';

/** Only success pages have it. They have time: they let the browser draw and scroll between two steps. */
const take = window.early?.take;
const pause = () => take && new Promise((next) => setTimeout(next));

async function hydrate() {
  const container = document.getElementById('root');
  await pause();
  const screen = await loadScreen(location.pathname);
  if (!container || !screen) return;
  await pause();
  const scene = container.querySelector('.scene')?.innerHTML ?? '';
  const props = { screen, scene, figures: take?.() };
  const arrival = arrivalOf(location.search);
  const app = <App {...props} />;
  const start = () => hydrateRoot(container, <PageBoundary>{app}</PageBoundary>);
  // In small steps; the boot script holds presses until React has all.
  if (take && !arrival) return startTransition(() => void start());
  // Synchronously: an input or a submit is handled by the boot script or by React, never by half of each.
  const root = flushSync(start);
  if (arrival) {
    history.replaceState(null, '', location.pathname);
    root.render(
      <PageBoundary>
        <App {...props} arrival={arrival} />
      </PageBoundary>,
    );
  }
}

hydrate().catch(({ name }: Error) => window.fileMissing?.(name === 'ChunkLoadError'));
