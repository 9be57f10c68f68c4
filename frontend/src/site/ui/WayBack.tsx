import { yourPage } from '../lib/yourPage';

/** In a browser that entered, the link to the entrant's page. An inline script shows it before React is there. */
export function WayBack() {
  const page = yourPage();
  return (
    <a className="way-back" data-way-back="" href={page} hidden={!page}>
      Go to your page
    </a>
  );
}
