import '@testing-library/jest-dom/vitest';
import { cleanup, configure, getConfig } from '@testing-library/react';
import { afterEach } from 'vitest';
import { slowFrames } from './slowFrames';

// Screens in files of their own are compiled on their first use, which takes a busy machine a while.
configure({ asyncUtilTimeout: 15_000 });

// What was waited for is on screen before its effects have run, such as those that move the focus: React runs them
// in a task of its own, which on a busy machine comes later than the timer that the library waits for.
const config = getConfig();
const asyncWrapper = config.asyncWrapper.bind(config);
const inNextTask = setImmediate; // the real one, whatever a test does to timers
configure({
  asyncWrapper: (wait) =>
    asyncWrapper(async () => {
      const found: unknown = await wait();
      await new Promise<void>((resolve) => void inNextTask(() => resolve()));
      return found;
    }),
});

afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

// jsdom has no modal dialogs: open and closed is all of them that tests of components see.
HTMLDialogElement.prototype.show = HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
HTMLDialogElement.prototype.close = function () {
  this.open = false;
};

slowFrames();
