/** What somebody answered about the ads pixel; nothing as long as they did not. */
export type Choice = 'accepted' | 'declined' | undefined;

const KEY = 'tombola.ads';

/** Where nothing can be remembered people would be asked on every page: that counts as declined. */
export function readChoice(): Choice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'accepted' || stored === 'declined' ? stored : undefined;
  } catch {
    return 'declined';
  }
}

export function storeChoice(choice: 'accepted' | 'declined'): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // It holds for this page.
  }
}

/** Tells what was chosen in another tab. */
export function onChoiceElsewhere(changed: (choice: Choice) => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) changed(readChoice());
  });
}
