import type { VersionView } from '../../api/raffles';
import { formatDateTime } from '../../../shared/lib/format';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/states';

interface Props {
  versions: VersionView[];
  /** The number of the one that takes effect later. */
  waiting: number | undefined;
  mayUse: boolean;
  onUse: (version: VersionView) => void;
}

/** What was published, by whom and when. */
export function Versions({ versions, waiting, mayUse, onUse }: Props) {
  return (
    <Card title="Versions" note="Each stays as it was published.">
      {versions.length === 0 ? (
        <EmptyState title="Nothing is published yet" />
      ) : (
        <ol className="raffle-versions">
          {versions.map((version) => (
            <li key={version.number}>
              <div>
                <p>
                  <strong>Version {version.number}</strong>{' '}
                  {version.isInForce && <Badge tone="good">In force</Badge>}
                  {version.number === waiting && (
                    <Badge tone="warn">From {formatDateTime(version.takesEffectAt)}</Badge>
                  )}
                </p>
                <p className="quiet-text">
                  {formatDateTime(version.publishedAt)}
                  {version.publishedBy && ` by ${version.publishedBy}`}
                </p>
              </div>
              {mayUse && (
                <Button size="small" onClick={() => onUse(version)}>
                  Use this version again<span className="unseen">: version {version.number}</span>
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
