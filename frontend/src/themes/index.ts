import { freshSips } from './fresh-sips';
import { gardenBag } from './garden-bag';
import { kitchenGarden } from './kitchen-garden';
import { sustainableLiving } from './sustainable-living';
import type { Theme, ThemeKey } from './types';

export { generic } from './generic';
export type * from './types';

export const themes: Record<ThemeKey, Theme> = {
  'garden-bag': gardenBag,
  'fresh-sips': freshSips,
  'kitchen-garden': kitchenGarden,
  'sustainable-living': sustainableLiving,
};
