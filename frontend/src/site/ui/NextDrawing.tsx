import { nextDrawing, siteTimeZone, WITHOUT_A_CLOCK } from '../../shared/lib/nextDrawing';

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
