import { Card } from '../../ui/Card';
import { NewTabLink } from '../../ui/NewTabLink';

/** The pages behind the links of texts, with ids that no text has: nothing of a campaign is counted. */
const previews = ['garden', 'fresh', 'kitchen', 'sustainable'].map(
  (word) => `/planter/${word}-preview2345`,
);

export function ShowcaseLinks() {
  return (
    <Card
      title="Product showcase test links"
      note="What people see after opening the link in a text. Opening one counts as a page view, not as a click."
    >
      <ul className="links">
        {previews.map((path) => (
          <li key={path}>
            <NewTabLink href={path}>
              <span className="code">{path}</span>
            </NewTabLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
