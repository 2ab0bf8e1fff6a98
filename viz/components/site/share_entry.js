// What only a reader who shares a change needs.

import { ShareDialog } from "./share/share.js";

export default ShareDialog;
