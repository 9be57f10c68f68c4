import type { JSX } from 'react';
import { Scene as Cocktail } from './cocktail';
import { Scene as GiftBox } from './gift-box';
import { Scene as KitchenHerbs } from './kitchen-herbs';
import { Scene as SetTable } from './set-table';
import { Scene as StarterKit } from './starter-kit';
import { Scene as SummerBasket } from './summer-basket';
import { Scene as ToolBag } from './tool-bag';

export { Scene as GenericScene } from './generic';

/** The pictures that a raffle can have, by the names of crates/domain/raffle/src/content/look.rs. All are decorative. */
export const scenes: Record<string, () => JSX.Element> = {
  'tool-bag': ToolBag,
  cocktail: Cocktail,
  'kitchen-herbs': KitchenHerbs,
  'starter-kit': StarterKit,
  'gift-box': GiftBox,
  'set-table': SetTable,
  'summer-basket': SummerBasket,
};
