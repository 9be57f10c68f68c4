import type { Appearance } from '@stripe/stripe-js';

/** The page's colours for the provider's fields, which stand in a frame of theirs and inherit none. */
export function currentAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: colour('--accent'),
      colorBackground: colour('--page'),
      colorText: colour('--ink'),
      colorTextSecondary: colour('--ink-2'),
      colorTextPlaceholder: colour('--ink-2'),
      colorDanger: colour('--bad'),
      borderRadius: colour('--radius'),
      fontFamily: 'system-ui, "Segoe UI", Roboto, sans-serif',
      fontSizeBase: '16px',
    },
  };
}
