/** SITE_NAME, which the server writes into every page. Prerendered pages have its token, which the server replaces. */
export const siteName =
  typeof document === 'undefined'
    ? '%SITE_NAME%'
    : document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ||
      'Tombola';

/** The title of a page, in tabs and link previews. */
export const titled = (title: string) => `${title} | ${siteName}`;
