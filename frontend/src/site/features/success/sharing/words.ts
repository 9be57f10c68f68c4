import { today } from '../../../../shared/lib/days';
import { countOf, formatCount } from '../../../../shared/lib/format';
import type { ShareProgress } from '../api';

/** For the share card, short enough for one line of a phone; nothing before the first share. */
export function inOneLine(progress: ShareProgress, now = new Date()): string | undefined {
  if (progress.totalShares === 0) return undefined;
  if (progress.shareStreak > 1) return `You shared ${streak(progress)}.`;
  if (progress.lastShareDate === today(now)) return 'You shared your link today.';
  return ['You shared', ...channels(progress)].join(' ') + '.';
}

/** How often, how, and for how many days in a row. */
export function inFull(progress: ShareProgress): string {
  const often = progress.totalShares === 1 ? 'once' : countOf(progress.totalShares, 'time');
  const parts = [`You shared your link ${often}`, ...channels(progress)];
  if (progress.shareStreak > 1) parts.push(`most recently ${streak(progress)}`);
  return parts.join(', ') + '.';
}

export const levelInWords = ({ level, xp }: ShareProgress): string =>
  `You have ${countOf(xp, 'point')}, which is level ${formatCount(level)}. A day counts 10 points if you share by email and 10 if you share by text; every 100 points are a level.`;

const achievements: Record<string, string> = {
  first_share: 'Your first share',
  both_channels: 'Shared both by email and by text',
  three_day_streak: 'Shared on three days in a row',
  five_friends: 'Five friends joined through your link',
};

export const achieved = (progress: ShareProgress): string[] =>
  Object.keys(achievements)
    .filter((name) => progress.achievements.includes(name))
    .map((name) => achievements[name]!);

const streak = ({ shareStreak }: ShareProgress) => `on ${formatCount(shareStreak)} days in a row`;

const list = new Intl.ListFormat('en-US');

/** `by email and by text`, in at most one piece. */
function channels({ platformsShared }: ShareProgress): string[] {
  const known = [
    ['email', 'by email'],
    ['sms', 'by text'],
    ['system', 'by your share menu'],
    ['copy', 'by copying the link'],
  ] as const;
  const used = known.filter(([name]) => platformsShared.includes(name)).map(([, words]) => words);
  return used.length ? [list.format(used)] : [];
}
