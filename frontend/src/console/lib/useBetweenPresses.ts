import { useEffect, useState } from 'react';

/** A tap's click comes a little after the finger has left. */
const UNTIL_CLICK_MS = 100;

let isPressed = false;
const waiting = new Set<() => void>();

function release() {
  isPressed = false;
  waiting.forEach((proceed) => proceed());
}

addEventListener('pointerdown', () => (isPressed = true), true);
for (const end of ['pointerup', 'pointercancel']) {
  addEventListener(end, () => setTimeout(release, UNTIL_CLICK_MS), true);
}

/**
 * The value, which does not change while a mouse button or a finger is down. For what is above other things and moves them: a
 * button that moves between its press and its release is not clicked.
 */
export function useBetweenPresses<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const show = () => setShown(() => value);
    if (!isPressed) return show();
    waiting.add(show);
    return () => void waiting.delete(show);
  }, [value]);
  return shown;
}
