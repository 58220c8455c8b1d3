-- Neovim: put this into init.lua, or into plugin/gamedsl.lua of your configuration.
local function start(event)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(event.buf), ":p:h")
  local config = { name = "gamedsl", cmd = { "gamedsl", "lsp" }, root_dir = folder }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = event.buf })
  else -- Neovim 0.7: one server for all buffers
    vim.g.gamedsl_client = vim.g.gamedsl_client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(event.buf, vim.g.gamedsl_client)
  end
  vim.bo[event.buf].commentstring = "# %s"
  vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
end

local files = { "BufRead", "BufNewFile" }
vim.api.nvim_create_autocmd(files, { pattern = "*.gdl", command = "setfiletype gamedsl" })
vim.api.nvim_create_autocmd("FileType", { pattern = "gamedsl", callback = start })
vim.api.nvim_create_autocmd(files, { pattern = { "*.examples.yaml", "*/clauses/*.yaml" }, callback = start })
