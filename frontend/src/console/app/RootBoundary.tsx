import { Component, type ReactNode } from 'react';
import { Button } from '../ui/Button';
import { ConsoleFrame } from '../ui/ConsoleFrame';

interface Props {
  children: ReactNode;
}

/** The last resort: what no section's boundary has caught. React logs the error. */
export class RootBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <ConsoleFrame>
        <main className="checking">
          <div className="failed" role="alert">
            <div>
              <h1>Something went wrong</h1>
              <p>This page stopped working. Your data on the server is not affected.</p>
            </div>
            <Button onClick={() => location.reload()}>Reload the page</Button>
          </div>
        </main>
      </ConsoleFrame>
    );
  }
}
