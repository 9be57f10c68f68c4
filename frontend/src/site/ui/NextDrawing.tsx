import { nextDrawing, siteTimeZone } from '../../shared/lib/nextDrawing';

/** Prerendered pages cannot know the date: the boot script writes it into them before they are painted. */
const WITHOUT_A_CLOCK = 'the 1st of next month';

export function useNextDrawing(): string {
  return typeof document === 'undefined'
    ? WITHOUT_A_CLOCK
    : nextDrawing(new Date(), siteTimeZone());
}

export function NextDrawing() {
  return (
    <span className="date" data-next-drawing="" suppressHydrationWarning>
      {useNextDrawing()}
    </span>
  );
}
