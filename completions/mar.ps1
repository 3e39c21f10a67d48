# Completion of mar for PowerShell: press Tab, or Ctrl+Space for a list.
# Made by "mar completion powershell".
#
# In this shell only:
#   mar completion powershell | Out-String | Invoke-Expression
#
# In every new shell:
#   New-Item -ItemType Directory -Force (Split-Path $PROFILE)
#   mar completion powershell >> $PROFILE

Register-ArgumentCompleter -Native -CommandName mar -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # The words before the cursor, without their quotes, and the one at the cursor, which may be empty.
    $words = @(
        $commandAst.CommandElements |
            Select-Object -Skip 1 |
            Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
            ForEach-Object {
                if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
                else { $_.Extent.Text }
            }
    )
    $current = $wordToComplete.Trim([char[]]@('"', "'"))
    $words += $current

    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $env:MAR_COMPLETE_WORDS = $words -join [char]10
        $lines = @(& mar complete-words powershell 2>$null)
    } finally {
        [Console]::OutputEncoding = $encoding
        Remove-Item Env:MAR_COMPLETE_WORDS -ErrorAction SilentlyContinue
    }
    if ($lines.Count -eq 0) { return }

    # The first line: kind of candidates, whether a space follows, text before the value.
    $kind, $space, $before = $lines[0].Split([char[]]@(' '), 3)
    if ($kind -ne 'words') {
        # Without a result PowerShell offers files by itself, but not after "--file=".
        if ($before) {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring($before.Length)) |
                ForEach-Object {
                    [System.Management.Automation.CompletionResult]::new(
                        $before + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
                }
        }
        return
    }
    if ($lines.Count -eq 1) {
        # No candidates: return an empty one, or PowerShell offers files.
        return ''
    }
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $text, $shown, $meaning = $_.Split([char]9)
        [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $meaning)
    }
}
