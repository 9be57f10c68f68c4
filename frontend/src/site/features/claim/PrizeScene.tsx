import { useEffect, useMemo, useState, type ComponentType } from 'react';
import { looks } from '../../lib/pageRaffle';
import { PageScene } from '../../ui/PageScene';

type Load = () => Promise<{ Scene: ComponentType }>;

// The HTML cannot have the scene, as pages of a raffle do: which one it is, the claim says.
const scenes: Partial<Record<string, Load>> = {
  'tool-bag': () =>
    import(/* webpackChunkName: "scene-tool-bag" */ '../../../themes/scenes/tool-bag'),
  cocktail: () =>
    import(/* webpackChunkName: "scene-cocktail" */ '../../../themes/scenes/cocktail'),
  'kitchen-herbs': () =>
    import(/* webpackChunkName: "scene-kitchen-herbs" */ '../../../themes/scenes/kitchen-herbs'),
  'starter-kit': () =>
    import(/* webpackChunkName: "scene-starter-kit" */ '../../../themes/scenes/starter-kit'),
  'gift-box': () =>
    import(/* webpackChunkName: "scene-gift-box" */ '../../../themes/scenes/gift-box'),
  'set-table': () =>
    import(/* webpackChunkName: "scene-set-table" */ '../../../themes/scenes/set-table'),
  'summer-basket': () =>
    import(/* webpackChunkName: "scene-summer-basket" */ '../../../themes/scenes/summer-basket'),
};

/** The prize of a claim, in the place of the page's own scene as soon as it has arrived. */
export function PrizeScene({ raffle }: { raffle: string }) {
  const [, scene = '', picture] = useMemo(() => looks()[raffle] ?? [], [raffle]);
  const [shown, setShown] = useState<{ Scene: ComponentType }>();
  useEffect(() => {
    if (picture) return;
    let isGone = false;
    scenes[scene]?.().then(
      (loaded) => isGone || setShown(loaded),
      () => undefined, // the page's own scene stays
    );
    return () => {
      isGone = true;
    };
  }, [scene, picture]);
  if (picture) {
    const html = { __html: picture };
    return <div className="scene" data-prize={raffle} dangerouslySetInnerHTML={html} />;
  }
  if (!shown) return <PageScene />;
  return (
    <div className="scene" data-prize={raffle}>
      <shown.Scene />
    </div>
  );
}
