import type { KitItem, ThemeKey } from './types';

/** What the page behind a text's link shows: the example of a larger package for a raffle. */
export interface Planter {
  /** The page's h1. */
  thanks: string;
  /** The package's name. */
  name: string;
  description: string;
  prizes: KitItem[];
  totalValue: string;
  /** The drawing date that the page shows: `12-31`, and in words. */
  drawing: { day: string; words: string };
}

export const planters: Record<ThemeKey, Planter> = {
  'garden-bag': {
    thanks: 'Thank you for growing with us',
    name: 'Garden Package',
    description:
      'Everything for your first garden bed and a long season of growing, delivered to your door.',
    prizes: [
      { item: 'Greenhouse kit', detail: 'Six by four feet, aluminum frame', value: 450 },
      { item: 'Raised bed', detail: 'Eight by four feet, untreated cedar', value: 320 },
      { item: 'Tool set', detail: 'Spade, fork, rake and hoe, ash handles', value: 245 },
      { item: 'Garden cart', detail: 'Six cubic feet, two wheels, tips to unload', value: 180 },
      { item: 'Compost tumbler', detail: 'Two chambers, 43 gallons', value: 160 },
      { item: 'Drip irrigation', detail: 'For four beds, with a timer', value: 140 },
      { item: 'Seeds and bulbs', detail: 'Vegetables, herbs and flowers for a year', value: 95 },
      { item: 'Soil', detail: 'One cubic yard of soil and compost, delivered', value: 85 },
      { item: 'Gloves, kneeler and hat', detail: 'Leather palms, thick foam, wide brim', value: 60 },
    ],
    totalValue: '$1,735',
    drawing: { day: '12-31', words: 'December 31st' },
  },
  'fresh-sips': {
    thanks: 'Thank you for raising a glass with us',
    name: 'Fresh Sips Package',
    description:
      'A whole bar for your home, from the cart to the cordials, without a drop of alcohol in it.',
    prizes: [
      { item: 'Ice maker', detail: 'Clear cubes, 26 pounds a day, for the counter', value: 420 },
      { item: 'Bar cart', detail: 'Steel and walnut, two shelves', value: 310 },
      { item: 'Juicer', detail: 'Cold press, whole fruit', value: 265 },
      { item: 'Glasses', detail: 'Six coupes, six highballs, six tumblers', value: 216 },
      { item: 'Copper bar set', detail: 'Shaker, jigger, strainers, spoon and press', value: 148 },
      { item: 'Cordials and syrups', detail: 'Twelve bottles, no alcohol', value: 144 },
      { item: 'Soda maker', detail: 'With two bottles and a cylinder', value: 130 },
      { item: 'Herb garden', detail: 'Mint, basil and rosemary under a small lamp', value: 62 },
    ],
    totalValue: '$1,695',
    drawing: { day: '01-15', words: 'January 15th' },
  },
  'kitchen-garden': {
    thanks: 'Thank you for cooking with us',
    name: 'Kitchen Garden Package',
    description:
      'From seed to pot: everything to grow food on a counter and turn it into dinner.',
    prizes: [
      { item: 'Indoor garden', detail: 'Room for 24 plants, with grow light and pump', value: 345 },
      { item: 'Dutch oven', detail: 'Six quarts, enameled cast iron', value: 210 },
      { item: 'Knife and board', detail: "Eight-inch chef's knife, maple board", value: 165 },
      { item: 'Countertop composter', detail: 'Scraps become soil overnight', value: 129 },
      { item: 'Herb pots', detail: 'Six, terracotta, with saucers', value: 84 },
      { item: 'Seeds and potting mix', detail: 'Tomato, basil, chili and lettuce', value: 54 },
      { item: 'Drying rack and jars', detail: 'Four tiers, a dozen jars', value: 48 },
      { item: 'Apron and snips', detail: 'Heavy cotton, stainless steel', value: 30 },
    ],
    totalValue: '$1,065',
    drawing: { day: '02-14', words: 'February 14th' },
  },
  'sustainable-living': {
    thanks: 'Thank you for living lighter with us',
    name: 'Sustainable Living Package',
    description:
      'Power from the sun, water from the tap, and less in the trash.',
    prizes: [
      { item: 'Power station', detail: '300 watt-hours, charges laptops and phones', value: 260 },
      { item: 'Solar panel', detail: '100 watts, folds up', value: 240 },
      { item: 'Water filter', detail: 'Two gallons, stainless steel, no electricity', value: 185 },
      { item: 'Bed linen', detail: 'Organic cotton, queen size', value: 140 },
      { item: 'Worm composter', detail: 'Three trays, for indoors', value: 115 },
      { item: 'Glass jars', detail: 'Two dozen, bamboo lids', value: 78 },
      { item: 'Refills', detail: 'Laundry, dish and bath soap for a year', value: 62 },
      { item: 'Cotton bags and wraps', detail: 'Six bags, four beeswax wraps', value: 35 },
    ],
    totalValue: '$1,115',
    drawing: { day: '03-22', words: 'March 22nd' },
  },
};
