// What only a reader who shares a change needs.

import { ShareDialog } from "../shared/share/share.js";

export default ShareDialog;
