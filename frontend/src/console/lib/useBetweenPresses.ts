import { useEffect, useState } from 'react';

/** A tap's click comes a little after the finger has left. */
const UNTIL_CLICK_MS = 100;

let isPressed = false;
let releasing: ReturnType<typeof setTimeout> | undefined;
const waiting = new Set<() => void>();

function release() {
  isPressed = false;
  waiting.forEach((proceed) => proceed());
}

function press() {
  clearTimeout(releasing); // of the press before, in a double click
  isPressed = true;
}

function releaseSoon() {
  clearTimeout(releasing);
  releasing = setTimeout(release, UNTIL_CLICK_MS);
}

addEventListener('pointerdown', press, true);
addEventListener('pointerup', releaseSoon, true);
addEventListener('pointercancel', releaseSoon, true);

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
