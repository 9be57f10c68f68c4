import { useEffect, useSyncExternalStore } from 'react';

/** Forms on screen with something in them that is not saved. */
const forms = new Set<object>();

export const hasUnsavedChanges = () => forms.size > 0;

/** What to do once the changes may be discarded. */
export interface Waiting {
  act: () => void;
  nth: number;
}
let waiting: Waiting | undefined;
let asked = 0;
const listeners = new Set<() => void>();

/** Acts at once while nothing would be lost, else after asking "Discard your changes?": see DiscardDialog. */
export function askBefore(act: () => void) {
  if (hasUnsavedChanges()) ask(act);
  else act();
}

/**
 * While `dirty`, leaving the page, the section or the tab asks first. So does closing the form, by what this
 * returns.
 */
export function useUnsavedChanges(dirty: boolean): (close: () => void) => void {
  useEffect(() => {
    if (!dirty) return;
    const form = {};
    forms.add(form);
    addEventListener('beforeunload', refuse);
    return () => {
      forms.delete(form);
      if (!hasUnsavedChanges()) removeEventListener('beforeunload', refuse);
    };
  }, [dirty]);
  return (close) => (dirty ? ask(close) : close());
}

/** Makes the browser ask, in its own words. */
const refuse = (event: BeforeUnloadEvent) => event.preventDefault();

export function useWaiting() {
  return useSyncExternalStore(subscribe, () => waiting);
}

function ask(act: () => void) {
  asked += 1;
  setWaiting({ act, nth: asked });
}

/** Closes the question, unless another one has replaced it. */
export function answered(question: Waiting) {
  if (waiting === question) setWaiting(undefined);
}

function setWaiting(next: Waiting | undefined) {
  waiting = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
