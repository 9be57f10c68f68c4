import { afterAll } from 'vitest';

const FRAME_MS = 40;

/**
 * Makes a frame take longer than on any machine that is idle. Redux tells components in the next frame, so a test that forgets to wait
 * for them fails on every machine. Frames that are left when the tests of a file end are never drawn.
 */
export function slowFrames(): void {
  const frames = new Set<number>();
  globalThis.requestAnimationFrame = (draw) => {
    const frame = Number(
      setTimeout(() => {
        frames.delete(frame);
        draw(performance.now());
      }, FRAME_MS),
    );
    frames.add(frame);
    return frame;
  };
  globalThis.cancelAnimationFrame = (frame) => {
    frames.delete(frame);
    clearTimeout(frame);
  };
  afterAll(() => frames.forEach(globalThis.cancelAnimationFrame));
}
