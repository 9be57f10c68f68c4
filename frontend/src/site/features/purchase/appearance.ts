import type { Appearance } from '@stripe/stripe-js';

/** The page's colors for the provider's fields, which stand in a frame of theirs and inherit none. */
export function currentAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const color = (token: string) => style.getPropertyValue(token).trim();
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: color('--accent'),
      colorBackground: color('--card'),
      colorText: color('--ink'),
      colorTextSecondary: color('--ink-2'),
      colorTextPlaceholder: color('--ink-2'),
      colorDanger: color('--bad'),
      borderRadius: color('--radius'),
      fontFamily: 'system-ui, "Segoe UI", Roboto, sans-serif',
      fontSizeBase: '16px',
    },
  };
}
