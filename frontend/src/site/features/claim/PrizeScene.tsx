import { useEffect, useState, type ComponentType } from 'react';
import { PageScene } from '../../ui/PageScene';

type Load = () => Promise<{ Scene: ComponentType }>;

// The HTML cannot have the scene, as pages of a raffle do: which one it is, the claim says.
const scenes: Partial<Record<string, Load>> = {
  'garden-bag': () =>
    import(/* webpackChunkName: "scene-garden-bag" */ '../../../themes/garden-bag/Scene'),
  'fresh-sips': () =>
    import(/* webpackChunkName: "scene-fresh-sips" */ '../../../themes/fresh-sips/Scene'),
  'kitchen-garden': () =>
    import(/* webpackChunkName: "scene-kitchen-garden" */ '../../../themes/kitchen-garden/Scene'),
  'sustainable-living': () =>
    import(
      /* webpackChunkName: "scene-sustainable-living" */ '../../../themes/sustainable-living/Scene'
    ),
};

/** The prize of a claim, in the place of the page's own scene as soon as it has arrived. */
export function PrizeScene({ raffle }: { raffle: string }) {
  const [shown, setShown] = useState<{ Scene: ComponentType }>();
  useEffect(() => {
    let isGone = false;
    scenes[raffle]?.().then(
      (loaded) => isGone || setShown(loaded),
      () => undefined, // the page's own scene stays
    );
    return () => {
      isGone = true;
    };
  }, [raffle]);
  if (!shown) return <PageScene />;
  return (
    <div className="scene" data-prize={raffle}>
      <shown.Scene />
    </div>
  );
}
