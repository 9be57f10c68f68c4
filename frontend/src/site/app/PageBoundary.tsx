import { Component, type ReactNode } from 'react';
import { PageFrame } from '../ui/PageFrame';

/** The page that stands there when rendering the real one failed. React logs the error. */
export class PageBoundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <PageFrame>
        <div role="alert">
          <h1>Something went wrong</h1>
          <p>This page stopped working. Reload it and try again.</p>
        </div>
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </PageFrame>
    );
  }
}
