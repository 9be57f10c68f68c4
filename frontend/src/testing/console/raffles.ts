import type {
  Content,
  DraftView,
  RaffleFile,
  RaffleView,
  VersionView,
} from '../../console/api/raffles';
import { aRaffle } from './builders';
import { adminCall } from './handlers';

export const aRaffleCard = (changes: Partial<RaffleView> = {}): RaffleView =>
  aRaffle({ version: 2, ...changes });

export const aContent = (changes: Partial<Content> = {}): Content => ({
  name: 'Garden Bag Essentials',
  title: 'Win the Garden Bag Essentials',
  tagline: 'A canvas bag, packed for a season of growing.',
  description: 'One bag with the tools you reach for every day.',
  kit: [
    { item: 'Canvas tool bag', detail: 'Waxed cotton', valueInCents: 3_850 },
    { item: 'Seed box', detail: 'Ten packets', valueInCents: 11_200 },
  ],
  totalValue: { dollars: 150, orMore: true },
  metaTitle: 'Free raffle: win the Garden Bag Essentials',
  metaDescription: 'Win a bag worth $150+. No purchase required.',
  successTitle: 'Garden Bag Success!',
  showsNextDrawing: true,
  share: { emailSubject: 'Win a bag', emailBody: 'Hi,\n\n{LINK}', textBody: 'Enter: {LINK}' },
  palette: 'clay',
  picture: { scene: 'tool-bag', upload: null, alt: '' },
  ...changes,
});

export const aDraft = (changes: Partial<DraftView> = {}): DraftView => ({
  revision: 7,
  hash: 'a1',
  content: aContent(),
  savedAt: '2026-11-20T15:00:00Z',
  savedBy: 'Ada',
  missing: [],
  ...changes,
});

export const aVersion = (changes: Partial<VersionView> = {}): VersionView => ({
  number: 2,
  content: aContent(),
  hash: 'a1',
  publishedAt: '2026-11-20T15:00:00Z',
  publishedBy: 'Ada',
  takesEffectAt: '2026-11-20T15:00:00Z',
  isInForce: true,
  ...changes,
});

export const aRaffleFile = (changes: Partial<RaffleFile> = {}): RaffleFile => ({
  raffle: aRaffleCard(),
  draft: aDraft(),
  anotherPrizeTakesEffectAt: '2999-01-01T05:00:00Z',
  versions: [
    aVersion(),
    aVersion({
      number: 1,
      isInForce: false,
      publishedBy: 'Grace',
      content: aContent({ title: 'The first title' }),
    }),
  ],
  ...changes,
});

export const cardsAre = (...raffles: RaffleView[]) => adminCall('get', 'raffles', { raffles });

export const fileIs = (file: RaffleFile | (() => RaffleFile)) =>
  adminCall('get', 'raffles/:landingPage', () => (typeof file === 'function' ? file() : file));
